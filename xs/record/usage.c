/* SPDX-License-Identifier: MIT */
/* usage.c - options and clocks as text. */
#include "record/usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capture/clock.h"
#include "record/options.h"

static void put(nytp_buf *out, const char *text) { nytp_buf_bytes(out, text, strlen(text)); }

static void put_option(nytp_buf *out, const nytp_option_row *row) {
    char text[40], line[160];
    snprintf(text, sizeof text, "%s=%s", row->name, row->initial);
    snprintf(line, sizeof line, "  %-21s %s\n", text, row->help);
    put(out, line);
}

static void put_clock(nytp_buf *out, const nytp_clock_row *row) {
    char line[160];
    snprintf(line, sizeof line, "  %-17s %3" PRId32 " %s\n", row->name, row->id, row->about);
    put(out, line);
}

void nytp_usage(nytp_buf *out) {
    put(out, "options, with their defaults; there are colons between them:\n");
    for (const nytp_option_row *row = nytp_options_rows(); row->name; row++)
        if (row->help) put_option(out, row);
    put(out, "clocks, names and numbers:\n");
    for (const nytp_clock_row *row = nytp_clock_rows(); row->name; row++)
        if (nytp_clock_works(row->id)) put_clock(out, row);
}
