/* SPDX-License-Identifier: MIT */
/* rounds.c - which of several rounds' times selftest tells. */
#include "cli/rounds.c" /* the command's objects are in no library */
#include "tap.h"

static const double calm[NYTP_ROUNDS] = {0};

static void test_quartile(void) {
    const double ns[NYTP_ROUNDS] = {30, 11, 29, 12, 28, 13, 27, 14, 26, 15, 25};
    is(nytp_rounds_quartile(ns), 13, "the third of eleven times");
    is(nytp_rounds_calm(ns, calm), 12, "or, without waits, the second of six");
}

/* In the second and later rounds most of the wait was in what the profile leaves out. */
static void test_waits(void) {
    const double ns[NYTP_ROUNDS] = {24, 25, 26, 90, 23, 300, 27, 28, 400, 29, 30};
    const double waited[NYTP_ROUNDS] = {0, 4, 0.01, 3, 5, 40, 0.02, 7, 9, 0.03, 8};
    const double all[NYTP_ROUNDS] = {1, 4, 1, 3, 5, 40, 1, 7, 9, 1, 8};
    const double one[NYTP_ROUNDS] = {1, 4, 1, 3, 5, 40, 1, 0.05, 9, 1, 8};
    is(nytp_rounds_calm(ns, waited), 26, "a wait is not subtracted: rounds with long ones do not count");
    is(nytp_rounds_calm(ns, one), 28, "one calm round is enough");
    is(nytp_rounds_calm(ns, all), NYTP_ROUNDS_BUSY, "without any there is no time");
}

static void test_negative(void) {
    const double ns[NYTP_ROUNDS] = {-9, -8, -7, -6, -5, -4, -3, -2, -1, -1, -1};
    is(nytp_rounds_calm(ns, calm), 0, "no time is below 0");
}

int main(void) {
    test_quartile();
    test_waits();
    test_negative();
    return done();
}
