/* folded.h - call paths as text: names from the first sub to the last with semicolons between, a blank, and what was
 * spent in the last one itself. The input of every flame graph tool. */
#ifndef NYTP_REPORT_FOLDED_H
#define NYTP_REPORT_FOLDED_H

#include "base/buf.h"
#include "report/sink.h"
#include "report/stacks.h"

typedef struct nytp_folded_options {
    nytp_stacks_options stacks;
    uint64_t rate;   /* times are in 1 / rate s; 0: nanoseconds */
    int32_t stable;  /* 1: in the order of first returns, not heaviest first */
} nytp_folded_options;

/* Appends one line per path. rate 0: values are no ticks and stay what they are. s is sorted. With a sink, all but the
 * end goes to the page that is open there: the paths of a large program are many times the size of its profile. */
void nytp_folded_lines(nytp_buf *out, nytp_sink *sink, const nytp_stacks *s, uint64_t ticks_per_second, uint64_t rate);

/* Puts the profile's paths as a page. Returns an nytp_code. */
int nytp_folded_write(nytp_sink *sink, const nytp_profile *p, const nytp_folded_options *options);

/* Adds lines "a;b;c VALUE" or, of two measurements, "a;b;c OLD NEW" of anyone's making to s; values may have decimals
 * and count NYTP_FOLDED_UNIT times. reverse: frames are read from the last to the first. Names borrow text. *bad counts
 * the lines that are none. Returns an nytp_code. */
int nytp_folded_read(nytp_stacks *s, nytp_str text, int reverse, uint32_t *bad);
#define NYTP_FOLDED_UNIT 1000

#endif
