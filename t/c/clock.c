/* SPDX-License-Identifier: MIT */
/* The clocks: names and numbers, the fallback, the default, the fake clock, rates. */
#include "tap.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "capture/clock.h"

static int opens_as(const char *wanted, const char *name, int fell_back) {
    nytp_error e = {0};
    nytp_clock c;
    int fell = -1;

    if (nytp_clock_open(&c, nytp_str_c(wanted), &fell, &e) || fell != fell_back || strcmp(c.name, name)) {
        printf("# '%s' opens as %s (%d) %s\n", wanted, c.name, fell, e.text);
        return 0;
    }
    return 1;
}

static const char *default_name(void) {
    return nytp_clock_works(NYTP_CLOCK_TSC) ? "tsc" : "monotonic";
}

static void names(void) {
    ok(opens_as("monotonic", "monotonic", 0), "by name");
    ok(opens_as("Monotonic_Coarse", "monotonic_coarse", 0), "in any case");
    ok(opens_as("CLOCK_MONOTONIC", "monotonic", 0), "as clock_gettime calls it");
    ok(opens_as("CLOCK_PROCESS_CPUTIME_ID", "process_cpu", 0), "also where that is long");
    ok(opens_as("1", "monotonic", 0) && opens_as("0x1", "monotonic", 0) && opens_as("0", "realtime", 0), "by number");
    ok(opens_as("1001", "fake", 0), "the fake one has a number too");
    ok(opens_as("", default_name(), 0) && opens_as("-1", default_name(), 0), "the default: %s", default_name());
}

static void fallback(void) {
    static const char *const nonsense[] = {"sundial", "1x", "mono", "monotonicx", "CLOCK_", " ", "1 "};
    int fine = 1, fell;

    ok(opens_as("77", default_name(), 1), "a number that is no clock falls back to the default");
    ok(opens_as("-5", default_name(), 1) && opens_as("99999999999999999999", default_name(), 1), "and so do odd ones");
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++) {
        nytp_error e = {0};
        nytp_clock c;

        fine &= nytp_clock_open(&c, nytp_str_c(nonsense[i]), &fell, &e) == NYTP_USAGE;
        fine &= strstr(e.text, nonsense[i]) != NULL;
    }
    ok(fine, "what is neither a name nor a number is an error that quotes it");
}

static void all_rows(void) {
    const nytp_clock_row *r;
    int fine = 1, in_order = 1, fell;

    for (r = nytp_clock_rows(); r->name; r++) {
        nytp_error e = {0};
        nytp_clock c;
        int64_t before;

        if (r[1].name) in_order &= r->id < r[1].id;
        if (!nytp_clock_works(r->id)) continue;
        fine &= nytp_clock_open(&c, nytp_str_c(r->name), &fell, &e) == NYTP_OK && c.id == r->id && !fell;
        fine &= c.resolution > 0 && c.ticks_per_second > 0 && r->about[0];
        before = nytp_clock_now(&c);
        fine &= before > 0 && nytp_clock_now(&c) >= before;
    }
    ok(fine, "every clock that works opens by its name and does not go back");
    ok(in_order, "they are in the order of their numbers");
}

static void fake(void) {
    nytp_error e = {0};
    nytp_clock c;
    int fell;
    int64_t first;

    nytp_clock_open(&c, NYTP_LIT("fake"), &fell, &e);
    first = nytp_clock_now(&c);
    ok(nytp_clock_now(&c) == first + 10 && nytp_clock_now(&c) == first + 20, "each fake reading is 10 ticks later");
    is(c.ticks_per_second, 10000000, "of which there are ten million a second");
    nytp_clock_refine(&c, 0, 0, 5, 5000000);
    is(c.ticks_per_second, 10000000, "and nothing refines that");
}

static void rates(void) {
    nytp_clock c = {.is_tsc = 1, .ticks_per_second = 1000};
    nytp_error e = {0};
    uint64_t ns0, ns1;
    int64_t ticks0, ticks1;
    int fell;
    double error = 1;

    nytp_clock_refine(&c, 100, 0, 200, 299999);
    is(c.ticks_per_second, 1000, "anchors less than 0.3 ms apart tell nothing");
    nytp_clock_refine(&c, 200, 0, 100, 2000000);
    is(c.ticks_per_second, 1000, "nor does a clock that went back");
    nytp_clock_refine(&c, -500, 1000000000, 2300000000 - 500, 2000000000);
    is(c.ticks_per_second, 2300000000, "two anchors give the rate");

    uint64_t least = UINT64_MAX; /* of ten, as a machine may be busy */
    errno = 77;
    for (int i = 0; i < 10; i++) {
        ns0 = nytp_clock_monotonic_ns();
        nytp_clock_open(&c, NYTP_LIT(""), &fell, &e);
        ns1 = nytp_clock_monotonic_ns();
        if (ns1 - ns0 < least) least = ns1 - ns0;
    }
    is(errno, 77, "opening leaves errno alone");
    ok(least < 5000000, "and takes %.2f ms", (double)least / 1e6);
    for (int i = 0; i < 10 && !(error > -0.01 && error < 0.01); i++) { /* ten tries, as well */
        nytp_clock_open(&c, NYTP_LIT(""), &fell, &e);
        ns0 = nytp_clock_monotonic_ns();
        ticks0 = nytp_clock_now(&c);
        while ((ns1 = nytp_clock_monotonic_ns()) - ns0 < 20000000) {}
        ticks1 = nytp_clock_now(&c);
        error = (double)(ticks1 - ticks0) / (double)c.ticks_per_second * 1e9 / (double)(ns1 - ns0) - 1;
    }
    ok(error > -0.01 && error < 0.01, "the default's rate is true to 1 %%: %+.4f %%", error * 100);
}

int main(void) {
    names();
    fallback();
    all_rows();
    fake();
    rates();
    return done();
}
