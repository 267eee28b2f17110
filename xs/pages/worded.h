/* SPDX-License-Identifier: MIT */
/* worded.h - the strip of time in words. Private to strip. */
#ifndef NYTP_PAGES_WORDED_H
#define NYTP_PAGES_WORDED_H

#include "pages/html.h"
#include "pages/slices.h"

#define NYTP_STRIP_MARKS 60u /* the most */

typedef struct nytp_strip {
    const nytp_html *h;
    nytp_buf *out;
    nytp_slices s; /* borrowed arrays */
    const nytp_labelled **spans; /* the largest sums first */
    uint32_t spans_n;
    uint32_t marks[NYTP_STRIP_MARKS];  /* by time */
    uint32_t marks_n, marks_more;
} nytp_strip;

typedef struct nytp_worded { /* what passes in a slice: its class in style sheets, its name */
    const char *class, *name;
} nytp_worded;

extern const nytp_worded nytp_worded_passed[NYTP_PASSED];

/* In ns: a moment since the run began, and a length, which is 0 if it is below that. */
uint64_t nytp_worded_since(const nytp_strip *d, uint64_t epoch);
uint64_t nytp_worded_ns(const nytp_strip *d, int64_t ticks);

void nytp_worded_process(const nytp_strip *d, uint32_t lane); /* "process 4711" */
void nytp_worded_when(const nytp_strip *d);                   /* a sentence: from when to when */
void nytp_worded_bar(const nytp_strip *d);                    /* what passed, in all, with its share */
void nytp_worded_untold(const nytp_strip *d);                 /* what the colours do not tell */
void nytp_worded_table(const nytp_strip *d);

#endif
