/* SPDX-License-Identifier: MIT */
/* units.h - numbers as people read them. The one place where a time leaves its ticks, and where a negative one (the
 * profiler's own cost overestimated) is shown as "~0 s". */
#ifndef NYTP_REPORT_UNITS_H
#define NYTP_REPORT_UNITS_H

#include "base/buf.h"

void nytp_units_time(nytp_buf *out, double seconds); /* "0 s", "~0 s", "417 ns", "3.05 µs", "12.0 ms", "1,234 s" */
void nytp_units_count(nytp_buf *out, int64_t n);       /* "1,234,567" */
void nytp_units_bytes(nytp_buf *out, int64_t n);       /* "0 B", "417 B", "3.05 kB", "12.0 MB", "1,234 GB" */
void nytp_units_percent(nytp_buf *out, int64_t part, int64_t whole); /* "12.3 %"; appends nothing unless whole > 0 */

/* For programs: ticks of 1 / per_second as a whole number of 1 / rate. Both at most 4e9. */
uint64_t nytp_units_whole(int64_t ticks, uint64_t per_second, uint64_t rate);

/* Times that are written one after another, as numbers that add up: each is the difference of two rounded sums, so it
 * is off by less than one, and so is the total of a million. Reports that divide a time differently have one total. */
typedef struct nytp_units_sum {
    uint64_t per_second, rate; /* as above; given */
    int64_t ticks;             /* so far; 0 */
    uint64_t given;            /* of 1 / rate; 0: the total so far */
} nytp_units_sum;

/* Adds ticks, none below zero, and returns them in whole 1 / rate. */
uint64_t nytp_units_next(nytp_units_sum *s, int64_t ticks);

#endif
