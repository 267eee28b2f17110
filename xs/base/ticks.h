/* SPDX-License-Identifier: MIT */
/* ticks.h - arithmetic on counts and times. Sums wrap round instead of overflowing: a hostile capture may hold any
 * numbers. */
#ifndef NYTP_BASE_TICKS_H
#define NYTP_BASE_TICKS_H

#include <stdint.h>

#define NYTP_NANOSECONDS 1000000000u /* in a second */

static inline int64_t nytp_ticks_add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t nytp_ticks_minus(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static inline int64_t nytp_ticks_times(int64_t a, int64_t n) {
    return (int64_t)((uint64_t)a * (uint64_t)n);
}

/* The nearest tick; saturates at both ends, and NaN gives 0. */
static inline int64_t nytp_ticks_whole(double v) {
    if (!(v > -9e18 && v < 9e18)) return v > 0 ? INT64_MAX : v < 0 ? INT64_MIN : 0;
    return (int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

/* The square root, rounded down; 0 for a number below zero. */
static inline int64_t nytp_ticks_root(int64_t n) {
    int64_t root = 0;
    for (int64_t bit = INT64_C(1) << 31; bit; bit >>= 1)
        if ((root | bit) <= n / (root | bit)) root |= bit;
    return root;
}

/* Takes an n-th (n > 0) of *left: shares taken with n, n - 1 ... 1 differ by one tick at most and use up *left. */
static inline int64_t nytp_ticks_share(int64_t *left, int64_t n) {
    int64_t share = *left / n;
    *left -= share;
    return share;
}

#endif
