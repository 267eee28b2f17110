/* SPDX-License-Identifier: MIT */
/* cmd_clocks.c - `nytprof clocks`: the clocks, measured on this machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/clock.h"
#include "cli/cli.h"

#define READINGS 20000

/* Nanoseconds that one reading takes. */
static double measure_cost(nytp_clock *c) {
    uint64_t begin = nytp_clock_monotonic_ns();

    for (int i = 0; i < READINGS; i++) nytp_clock_now(c);
    return (double)(nytp_clock_monotonic_ns() - begin) / READINGS;
}

/* The smallest step seen between two readings that differ, in ticks; the announced resolution if no two do. */
static int64_t measure_step(nytp_clock *c) {
    int64_t last = nytp_clock_now(c), smallest = 0;

    for (int i = 0; i < READINGS; i++) {
        int64_t now = nytp_clock_now(c), step = now - last;

        if (step > 0 && (!smallest || step < smallest)) smallest = step;
        last = now;
    }
    return smallest ? smallest : (int64_t)c->resolution;
}

static void print_clock(const nytp_clock_row *row) {
    nytp_error e = {0};
    nytp_clock c;
    int fell_back;

    if (nytp_clock_works(row->id) && nytp_clock_open(&c, nytp_str_c(row->name), &fell_back, &e) == NYTP_OK) {
        double ns = 1e9 / (double)c.ticks_per_second, cost = measure_cost(&c);

        printf("%6" PRId32 "  %-17s %12.1f %12.1f %12.1f  %s\n", row->id, row->name, (double)c.resolution * ns,
               (double)measure_step(&c) * ns, cost, row->about);
    } else {
        printf("%6" PRId32 "  %-17s %12s %12s %12s  %s\n", row->id, row->name, "-", "-", "-", "not on this machine");
    }
}

static const char *reason(const nytp_clock *c) {
    if (c->is_tsc) return "which the kernel offers as a clock source and the CPU calls invariant";
    return strcmp(c->name, "monotonic") == 0 ? "because the kernel or the CPU does not vouch for the time-stamp counter"
                                         : "because nothing better works here";
}

static int run_clocks(const nytp_call *call) {
    nytp_error e = {0};
    nytp_clock c;
    int fell_back;

    if (call->argc) return nytp_cli_usage("%s: expected no arguments, got '%s'", call->verb->name, call->argv[0]);
    if (nytp_clock_open(&c, NYTP_LIT(""), &fell_back, &e)) return nytp_cli_failure(&e);
    puts("                               nanoseconds");
    puts("number  name                resolution    step seen  per reading");
    for (const nytp_clock_row *row = nytp_clock_rows(); row->name; row++) print_clock(row);
    printf("\ndefault: %s, %s\n", c.name, reason(&c));
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_clocks_verb = {
    .name = "clocks",
    .arguments = "",
    .summary = "lists this machine's clocks, their costs and the default",
    .run = run_clocks,
};
