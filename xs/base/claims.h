/* SPDX-License-Identifier: MIT */
/* claims.h - how much a file may claim to have, by its size. Deflated, a byte makes a thousand: sixty kilobytes are
 * fifteen million subs or call paths, each with memory of its own and a line of every report. So what is read has a
 * weight, and the sum is limited by the bytes it took. Recorded programs stay far below, also recursions with a million
 * paths and programs of string evals only (t/bombs.t). */
#ifndef NYTP_BASE_CLAIMS_H
#define NYTP_BASE_CLAIMS_H

#include <stddef.h>
#include <stdint.h>

enum { /* weights: so much of a claim is one of them */
    NYTP_CLAIM_FIGURE = 1, /* of something that is known: 32 a byte, and a million */
    NYTP_CLAIM_LINE = 2,   /* small: 16 a byte, and half a million */
    NYTP_CLAIM_THING = 8   /* new: 4 a byte, and 130,000 */
};

/* Beside its weight a name has that of its bytes, and twice that of a long one: reports repeat it. */
static inline uint64_t nytp_claims_name(size_t n) { return n <= 1000 ? n : 2 * (uint64_t)n; }

#define NYTP_CLAIMS_FREE (UINT64_C(1) << 20)
#define NYTP_CLAIMS_BYTE 32

/* The message where more is claimed. */
#define NYTP_CLAIMS_TOO_MANY "more is claimed than the size of the file explains"

/* Adds the weight to the sum; 0 if it is more than `bytes` of the file allow. */
static inline int nytp_claims_add(uint64_t *sum, uint64_t weight, uint64_t bytes) {
    *sum += weight;
    return *sum <= NYTP_CLAIMS_FREE + bytes * NYTP_CLAIMS_BYTE;
}

#endif
