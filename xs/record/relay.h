/* SPDX-License-Identifier: MIT */
/* relay.h - a recorder whose stream is for several threads of a process, one after the other.
 *
 * What a thread defines stays defined for the next one, and its counts are added to: so an ended thread costs nothing
 * in the file. In between the recorder rests: it is off, its stream has an end, and no handler knows it. */
#ifndef NYTP_RECORD_RELAY_H
#define NYTP_RECORD_RELAY_H

#include "record/recorder.h"

/* Before an output is open: r is to be such a recorder. */
static inline void nytp_relay_be(nytp_recorder *r) { r->output.relays = 1; }

/* Threads that have begun; 0: it is for one thread only. */
static inline uint32_t nytp_relay_threads(const nytp_recorder *r) { return r->output.relays ? r->output.threads : 0; }

/* Whether another thread may go on with r: it is in its first output, which is in order. */
int nytp_relay_may_rest(const nytp_recorder *r);

/* Calls of subs of that name by no sub. */
int64_t nytp_relay_begun_with(const nytp_recorder *r, nytp_str name);

/* The thread has ended: writes all there is, and the end, and forgets what was known by the thread's addresses. The
 * front end makes its places vacant, and forgets what it knows of files. Another thread goes on when r is on again. */
void nytp_relay_rest(nytp_recorder *r);

/* Whether r's stream is of this process, not of a forked child's parent; and in the file asked for by that path. */
int nytp_relay_is_of_this_process(const nytp_recorder *r);
int nytp_relay_fits(const nytp_recorder *r, const char *base);

#endif
