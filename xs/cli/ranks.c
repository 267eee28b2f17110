/* SPDX-License-Identifier: MIT */
/* ranks.c - the rank-sum test, by counting all orders of the values. */
#include "cli/ranks.h"

#include <assert.h>

#define MOST (NYTP_RANKS_MOST * NYTP_RANKS_MOST / 2) /* pairs, as the fewer of two kinds are counted */

/* Twice the number of pairs in which the value of a is the smaller one; a tie is half a pair. */
static uint32_t twice_smaller(const double *a, const double *b, uint32_t n) {
    uint32_t twice = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) twice += a[i] < b[j] ? 2 : a[i] == b[j] ? 1 : 0;
    return twice;
}

/* The share of orders of n + n values with at most so many such pairs. orders[u] is the number of orders with u pairs:
 * the coefficients of the product of (1 - q^(n+i)) / (1 - q^i) over i from 1 to n, a factor at a time. */
static double share_of_orders(uint32_t n, uint32_t pairs) {
    double orders[MOST + 1] = {1}, sum = 0, all = 1;
    for (uint32_t i = 1; i <= n; i++) {
        for (uint32_t u = pairs; u >= n + i; u--) orders[u] -= orders[u - n - i];
        for (uint32_t u = i; u <= pairs; u++) orders[u] += orders[u - i];
        all = all * (n + i) / i;
    }
    for (uint32_t u = 0; u <= pairs; u++) sum += orders[u];
    return sum / all;
}

double nytp_ranks_chance(const double *a, const double *b, uint32_t n) {
    assert(n && n <= NYTP_RANKS_MOST);
    uint32_t all = 2 * n * n, twice = twice_smaller(a, b, n);
    if (twice > all - twice) twice = all - twice;
    double chance = 2 * share_of_orders(n, (twice + 1) / 2);
    return chance < 1 ? chance : 1;
}
