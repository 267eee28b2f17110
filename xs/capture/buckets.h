/* SPDX-License-Identifier: MIT */
/* buckets.h - lengths of time in classes that are a sixteenth of a power of two wide, so that a length is known within
 * 6.25 %: few numbers tell how a million of them are distributed. */
#ifndef NYTP_CAPTURE_BUCKETS_H
#define NYTP_CAPTURE_BUCKETS_H

#include <assert.h>
#include <stdint.h>

#define NYTP_BUCKETS_STEPS 16u  /* in a power of two */
#define NYTP_BUCKETS_OCTAVES 60u
#define NYTP_BUCKETS (NYTP_BUCKETS_OCTAVES * NYTP_BUCKETS_STEPS)

/* The bucket of a length in ns, below 2^63. */
static inline uint32_t nytp_buckets_of(uint64_t ns) {
    uint32_t octave = ns < 2 * NYTP_BUCKETS_STEPS ? 0 : 59u - (uint32_t)__builtin_clzll(ns);
    uint32_t step = (uint32_t)(ns >> octave);
    return octave * NYTP_BUCKETS_STEPS + step;
}

/* The least length in a bucket, at most NYTP_BUCKETS, whose least length is above all lengths. */
static inline uint64_t nytp_buckets_least(uint32_t bucket) {
    uint32_t octave = bucket / NYTP_BUCKETS_STEPS;
    assert(octave <= NYTP_BUCKETS_OCTAVES);
    if (octave == 0) return bucket;
    return (uint64_t)(NYTP_BUCKETS_STEPS + bucket % NYTP_BUCKETS_STEPS) << (octave - 1);
}

#endif
