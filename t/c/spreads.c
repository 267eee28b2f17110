/* SPDX-License-Identifier: MIT */
/* spreads.c - sums over a build in little memory: quantiles, densities, levels; and numbers as tables have them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/levels.h"
#include "report/density.h"
#include "report/tallied.h"
#include "tap.h"

static int is_near(double got, double expected, double part) {
    double off = got > expected ? got - expected : expected - got;
    if (off <= part * expected) return 1;
    printf("#   got %g, expected %g\n", got, expected);
    return 0;
}

static int is_text(nytp_buf *out, const char *expected) {
    int fine = nytp_str_eq((nytp_str){(const char *)out->p, out->n}, nytp_str_c(expected));
    if (!fine) printf("#   got '%.*s', expected '%s'\n", (int)out->n, (const char *)out->p, expected);
    nytp_buf_clear(out);
    return fine;
}

static void test_quantiles(nytp_buf *out) {
    nytp_quantiles q = {0};
    uint32_t left = 100000;
    ok(isnan(nytp_quantiles_at(&q, 0.5)), "no value has no median");
    nytp_quantiles_put(out, &q, 10, 0);
    ok(is_text(out, ""), "and no histogram");
    for (int i = 0; i < 10000; i++) nytp_quantiles_add(&q, 1e-5 * (i * 7919 % 10000 + 1), &left);
    for (int i = 1; i < 10; i++)
        ok(is_near(nytp_quantiles_at(&q, 0.1 * i), 0.01 * i, 0.03), "0.%d of 10,000 values are below", i);
    nytp_quantiles_put(out, &q, 4, 1);
    ok(is_text(out, "####"), "as many in each part");
    nytp_quantiles_free(&q);

    nytp_quantiles_add(&q, 0.09, &left);
    nytp_quantiles_add(&q, 0.09, &left);
    ok(is_near(nytp_quantiles_at(&q, 0.95), 0.09, 1e-6), "equal values are exact");
    nytp_quantiles_put(out, &q, 10, 0);
    ok(is_text(out, "|"), "and one place");
    nytp_quantiles_add(&q, 0, &left);
    nytp_quantiles_put(out, &q, 3, 0);
    ok(is_text(out, "+ #"), "0 is the least");
    nytp_quantiles_free(&q);

    left = 2;
    for (int i = 0; i < 100; i++) nytp_quantiles_add(&q, i, &left);
    ok(left == 0 && q.n == 2, "without room no value has a bucket of its own");
    ok(nytp_quantiles_at(&q, 1) > 1, "but is counted");
    nytp_quantiles_free(&q);
    left = 0;
    ok(nytp_quantiles_add(&q, 1, &left) == 1 && q.n == 0, "nor has the first one");
    nytp_quantiles_free(&q);
}

static void test_density(void) {
    nytp_density d = {{0}, 0};
    ok(nytp_density_between(&d, 0, 10) == 0, "nothing ran");
    nytp_density_add(&d, -1, 0.5);
    nytp_density_add(&d, 0, 1000);
    nytp_density_add(&d, 600, 600.5);
    nytp_density_add(&d, 5, 4);
    ok(is_near(nytp_density_between(&d, 0, 2000), 1001, 1e-4), "seconds that processes ran");
    ok(is_near(nytp_density_between(&d, 100, 500), 400, 1e-4), "between two times");
    ok(is_near(nytp_density_between(&d, 590, 610), 20.5, 1e-2), "where one more ran");
    ok(nytp_density_between(&d, 1100, 2000) == 0, "behind the end nothing runs");
}

/* 10 s of one, 20 s of two, 30 s of four, 5 s of none. */
static void test_levels(void) {
    nytp_levels l = {.longest = 25};
    nytp_levels_add(&l, 1, 10);
    nytp_levels_add(&l, 2, 20);
    nytp_levels_add(&l, 4, 30);
    nytp_levels_add(&l, 0, 5);
    ok(is_near(nytp_levels_seconds(&l), 65, 1e-9), "the time of all levels");
    ok(is_near(l.work, 170, 1e-9) && l.most == 4, "the work, and the most at a time");
    ok(is_near(nytp_levels_bound(&l, 1), 175, 1e-9), "one at a time does all of it");
    ok(is_near(nytp_levels_bound(&l, 2), 10 + 20 + 60 + 5, 1e-9), "two at a time halve the level of four");
    ok(is_near(nytp_levels_bound(&l, 4), 65, 1e-9), "four take what they took");
    ok(is_near(nytp_levels_bound(&l, 8), 50, 1e-9), "eight halve the fullest level only");
    l.longest = 55;
    ok(is_near(nytp_levels_bound(&l, 1000), 55, 1e-9), "and none is faster than the longest recipe");
    nytp_levels_add(&l, 1000, 1);
    ok(is_near(nytp_levels_bound(&l, 1), 1175, 1e-9), "levels beyond the last one count in full");
}

static void test_numbers(nytp_buf *out) {
    static const struct {
        double value;
        const char *text;
    } cases[] = {{18200, "1.82E+04"}, {2210.419, "2210.419"}, {0.001, "1.00e-03"}, {0, "   0    "},
                 {1e-10, "   0    "}, {0.0091, "   0.009"}, {9999.999, "9999.999"}, {NAN, "   -    "},
                 {INFINITY, "   -    "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        nytp_tallied_number(out, cases[i].value);
        ok(is_text(out, cases[i].text), "%g is '%s'", cases[i].value, cases[i].text);
    }
}

int main(void) {
    nytp_buf out = {0};
    test_quantiles(&out);
    test_density();
    test_levels();
    test_numbers(&out);
    nytp_buf_free(&out);
    return done();
}
