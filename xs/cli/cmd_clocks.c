/* SPDX-License-Identifier: MIT */
/* cmd_clocks.c - `nytprof clocks`: the clocks, measured on this machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/clock.h"
#include "cli/cli.h"
#include "cli/clocks.h"

static void print_clock(const nytp_clock_row *row) {
    nytp_clocks_cost cost;
    printf("%6" PRId32 "  %-17s ", row->id, row->name);
    if (nytp_clocks_measure(row, &cost))
        printf("%12.1f %12.1f %12.1f  %s\n", cost.resolution, cost.step, cost.reading, row->about);
    else printf("%12s %12s %12s  %s\n", "-", "-", "-", "not on this machine");
}

static const char *reason(const nytp_clock *c) {
    if (c->is_tsc) return "which the kernel offers as a clock source and the CPU calls invariant";
    return strcmp(c->name, "monotonic") == 0 ? "because the kernel or the CPU does not vouch for the time-stamp counter"
                                         : "because nothing better works here";
}

static double reading_of(int32_t id) {
    nytp_clocks_cost cost = {0};
    for (const nytp_clock_row *row = nytp_clock_rows(); row->name; row++)
        if (row->id == id) nytp_clocks_measure(row, &cost);
    return cost.reading;
}

/* Where the default is read by a call, a tick is quicker. */
static void recommend(const nytp_clock *c) {
    if (nytp_clock_is_quick(c)) return;
    printf("With clock=tick a reading takes %.0f ns, not %.0f: counts are exact, times are whole milliseconds.\n",
           reading_of(NYTP_CLOCK_TICK), reading_of(c->id));
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
    recommend(&c);
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_clocks_verb = {
    .name = "clocks",
    .task = NYTP_TASK_PROFILE,
    .arguments = "",
    .summary = "lists this machine's clocks, their costs and the default",
    .run = run_clocks,
};
