/* SPDX-License-Identifier: MIT */
/* folded.h - call paths as text: names from the first sub to the last with semicolons between, a blank, and the last
 * sub's own value. The input of flame graph tools. */
#ifndef NYTP_REPORT_FOLDED_H
#define NYTP_REPORT_FOLDED_H

#include "base/buf.h"
#include "report/sink.h"
#include "report/stacks.h"

/* Appends one line per path. rate 0: values are not ticks and are not converted. s is sorted. With a sink, all but the
 * end goes to the page that is open there: the paths of a large program are many times the size of its profile. */
void nytp_folded_lines(nytp_buf *out, nytp_sink *sink, const nytp_stacks *s, uint64_t ticks_per_second, uint64_t rate);

/* Adds lines "a;b;c VALUE" or, of two measurements, "a;b;c OLD NEW" from any program to s; values may have decimals and
 * count NYTP_FOLDED_UNIT times. reverse: frames are read from the last to the first. Names borrow text. *bad counts
 * malformed lines. Returns an nytp_code. */
int nytp_folded_read(nytp_stacks *s, nytp_str text, int reverse, uint32_t *bad);
#define NYTP_FOLDED_UNIT 1000

#endif
