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

#endif
