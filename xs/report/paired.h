/* SPDX-License-Identifier: MIT */
/* paired.h - which sub of the old side is which of the new side. Private to compared. */
#ifndef NYTP_REPORT_PAIRED_H
#define NYTP_REPORT_PAIRED_H

#include "report/compared.h"

#define NYTP_PAIRED_NONE UINT32_MAX

/* For each sub that is on the old side the index of that of the new side, or NYTP_PAIRED_NONE; a sub of the new side is
 * the partner of one at most. Only subs of one group become partners; their work is bounded, and of a group beyond the
 * bound those of equal names are. The caller frees the array; NULL if memory is short. */
uint32_t *nytp_paired_make(const nytp_compared_sub *subs, uint32_t n);

#endif
