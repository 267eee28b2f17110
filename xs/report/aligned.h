/* SPDX-License-Identifier: MIT */
/* aligned.h - which line of an old text is which of a new one. */
#ifndef NYTP_REPORT_ALIGNED_H
#define NYTP_REPORT_ALIGNED_H

#include <stddef.h>
#include <stdint.h>

#define NYTP_ALIGNED_NONE UINT32_MAX

/* The lines of a text by the hashes of what they say. */
typedef struct nytp_aligned_text {
    const uint64_t *at;
    uint32_t n;
} nytp_aligned_text;

/* For each old line the index of the new line, or NYTP_ALIGNED_NONE: a longest common subsequence, and between its
 * lines those that were replaced by as many. Where a text is too long for that (10^6 steps, 10^8 in `steps`, which
 * counts those of several calls), lines that are in each text once divide it first (Cohen's patience diff). The
 * caller frees the array; NULL if memory is short. */
uint32_t *nytp_aligned_make(nytp_aligned_text old, nytp_aligned_text new, uint64_t *steps);

#endif
