/* SPDX-License-Identifier: MIT */
/* seen.h - lines of a program whose calls are counted and whose statements are not: where another thread has seen it at
 * random moments. A reader shares the time of each sub, which is exact, among the lines in which the sub was seen.
 *
 * The front end adds what was seen, in the thread of the recorder's events, when it is asked before a window
 * (nytp_front.seen). */
#ifndef NYTP_RECORD_SEEN_H
#define NYTP_RECORD_SEEN_H

#include "record/recorder.h"

/* The thread was found in that node and place so many times; ns: the time up to these samples from those before. */
void nytp_seen_add(nytp_recorder *r, nytp_live_node *node, nytp_live_place *place, int64_t samples, int64_t ns);

/* Of what has not been written: puts it, and notes that it is written. A draft is not: the same is put again. */
void nytp_seen_put(nytp_recorder *r);
void nytp_seen_settle(nytp_recorder *r);

/* Drops what a forked child has of its parent. */
void nytp_seen_forget(nytp_recorder *r);

void nytp_seen_close(nytp_recorder *r);

#endif
