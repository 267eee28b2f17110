/* SPDX-License-Identifier: MIT */
/* said.h - the records of what a program itself says of its run: marks, spans and counts; and those of the lengths of
 * calls, which are like spans. Part of format.h. */
#ifndef NYTP_CAPTURE_SAID_H
#define NYTP_CAPTURE_SAID_H

#include "base/str.h"

typedef struct nytp_rec_mark { /* a moment that the program has given a name */
    int64_t ticks;
    nytp_str name;
} nytp_rec_mark;

enum nytp_label_of { NYTP_LABEL_SPAN = 1, NYTP_LABEL_COUNT = 2, NYTP_LABEL_CALLS = 3 };

typedef struct nytp_rec_label { /* the name of spans, or of what the program counts; or calls of a sub */
    uint64_t id, of; /* of: enum nytp_label_of */
    nytp_str name;
    uint64_t sub;    /* of calls */
    uint64_t node;   /* one of the contexts of these, which have the same caller and site; 0: all calls of the sub */
} nytp_rec_label;

typedef struct nytp_rec_tally { /* since the window before */
    uint64_t label;
    int64_t count, sum;     /* spans or calls that have ended, and their ticks; times counted, and what */
    int64_t longest, began; /* of spans and calls: ticks of the longest, and the clock when that began */
} nytp_rec_tally;

typedef struct nytp_rec_bucket { /* spans or calls of some length: see buckets.h */
    uint64_t label, bucket;
    int64_t count;
} nytp_rec_bucket;

#endif
