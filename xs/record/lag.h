/* SPDX-License-Identifier: MIT */
/* lag.h - how late a process is because it is profiled, for a parent that waits for it.
 *
 * What the recorder takes in a forked child, its parent waits for: that is no time of the parent's program either. So a
 * child tells, in a page of memory that both have, how late it is, counted from the same moment as its parent's own
 * lag; and a parent that has waited for a child becomes as late as that. In ticks, and of events by their prices. */
#ifndef NYTP_RECORD_LAG_H
#define NYTP_RECORD_LAG_H

#include "record/recorder.h"

/* Before a fork: makes the page in which children are going to tell, unless there is one. Keeps errno. */
void nytp_lag_share(nytp_recorder *r);

/* In a child whose counters are still its parent's: that one's lag is where its own begins. */
void nytp_lag_inherit(nytp_recorder *r);

/* This process's lag by now. */
int64_t nytp_lag_now(const nytp_recorder *r);

/* Before what was counted becomes written. */
void nytp_lag_keep(nytp_recorder *r);

static inline int nytp_lag_is_heard(const nytp_recorder *r) { return r->lag.parents != NULL; }

/* What a child, nytp_lag_is_heard, tells of itself: its lag. */
void nytp_lag_tell(nytp_recorder *r, int64_t lag);

/* Up to now the program has waited for its child pid, since the last event: what that was late by is nobody's time. */
void nytp_lag_catch_up(nytp_recorder *r, uint32_t pid, int64_t now);

void nytp_lag_close(nytp_recorder *r);

#endif
