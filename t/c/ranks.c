/* SPDX-License-Identifier: MIT */
/* ranks.c - the rank-sum test, beside the tables in books. */
#include "cli/ranks.c" /* the command's objects are in no library */
#include "tap.h"

/* The chance of two samples of n values in which the value of a is smaller in so many pairs, in millionths. */
static int64_t millionths(uint32_t n, uint32_t pairs) {
    double a[NYTP_RANKS_MOST], b[NYTP_RANKS_MOST];
    for (uint32_t i = 0; i < n; i++) b[i] = i;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t below = pairs < n ? pairs : n;
        a[i] = (double)n - below - 0.5;
        pairs -= below;
    }
    return (int64_t)(1e6 * nytp_ranks_chance(a, b, n) + 0.5);
}

static void test_orders(void) {
    is(millionths(4, 0), 28571, "4 and 4 values apart: 2 of 70 orders");
    is(millionths(5, 0), 7937, "5 and 5 values apart: 2 of 252");
    is(millionths(5, 25), 7937, "the other way round, too");
    is(millionths(5, 2), 31746, "2 pairs of 25: 8 of 252");
    is(millionths(5, 23), 31746, "as 23");
    is(millionths(5, 3), 55556, "3 pairs: 14 of 252");
    is(millionths(5, 12), 1000000, "nothing is as likely as half of the pairs");
}

static void test_tables(void) {
    ok(millionths(10, 23) <= 50000 && millionths(10, 24) > 50000, "10 values: 23 pairs are the most for 5 %%");
    ok(millionths(20, 127) <= 50000 && millionths(20, 128) > 50000, "20 values: 127");
    int64_t many = millionths(100, 4000), normal = 14550; /* by the normal distribution */
    ok(many > normal - 500 && many < normal + 500, "100 values: close to the normal distribution");
}

static void test_ties(void) {
    const double same[] = {1, 1, 1, 1, 1}, one[] = {1, 2, 2, 2, 2}, two[] = {2, 3, 3, 3, 3};
    is(nytp_ranks_chance(same, same, 5), 1, "equal values do not differ");
    is(1e6 * nytp_ranks_chance(one, two, 5) + 0.5, 31746, "4 ties are 2 pairs");
}

int main(void) {
    test_orders();
    test_tables();
    test_ties();
    return done();
}
