/* SPDX-License-Identifier: MIT */
/* spans.h - what the program itself says of its run: marks, which are moments with a name; spans, which are stretches
 * of time with a name; and counts.
 *
 * Spans and counts are sums by name, with the lengths of spans in buckets, so a million of them take no more of the
 * file than one. A name is cut to 200 bytes. Beyond a thousand names the others share one, and beyond a thousand marks
 * the others are only counted. The program may call these functions in another thread than that of the recorder's
 * events, one at a time; so there is a lock. Nothing is kept of a recorder whose program has named nothing. */
#ifndef NYTP_RECORD_SPANS_H
#define NYTP_RECORD_SPANS_H

#include "record/recorder.h"

#define NYTP_SPANS_LABELS 2048u /* the ids of their labels are below */

typedef struct nytp_begun { /* a span that runs */
    int64_t ticks;   /* when it began */
    uint32_t label;
    uint32_t era;    /* of the process and profile in which it counts; 0: in none */
} nytp_begun;

/* To be called while the recorder is on. A name is borrowed. Memory that is short drops what was to be recorded. */

/* Returns 1 if a window should end here, so that a range of time can begin or end with this mark. */
int nytp_spans_mark(nytp_recorder *r, nytp_str name, int64_t now);
void nytp_spans_count(nytp_recorder *r, nytp_str name, int64_t n);
nytp_begun nytp_spans_begin(nytp_recorder *r, nytp_str name);

/* Of a span that began in another process or profile nothing is recorded. */
void nytp_spans_end(nytp_recorder *r, nytp_begun span);

/* Of what has not been written: defines the names, puts the rest, and notes that what was put is written. A draft is
 * not: the same is put again. */
void nytp_spans_define(nytp_recorder *r);
void nytp_spans_put(nytp_recorder *r);
void nytp_spans_settle(nytp_recorder *r);

/* Drops what a forked child has of its parent. */
void nytp_spans_forget(nytp_recorder *r);

/* Spans that have begun are those of a thread that has ended: none of them ends any more. */
void nytp_spans_renew(nytp_recorder *r);

void nytp_spans_close(nytp_recorder *r);

#endif
