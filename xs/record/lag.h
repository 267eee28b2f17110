/* SPDX-License-Identifier: MIT */
/* lag.h - the delay of a process by profiling, for a parent that waits for it.
 *
 * A parent that waits for a forked child also waits for the recorder's work in it, which must not be charged to the
 * parent's program. So a child publishes its lag in a shared page, counted from the same moment as its parent's lag;
 * and a parent that has waited for a child takes over its lag. A lag is in ticks; that of events is estimated by their
 * prices. */
#ifndef NYTP_RECORD_LAG_H
#define NYTP_RECORD_LAG_H

#include "record/recorder.h"

/* Before a fork: makes the page for children's lags, unless there is one. Keeps errno. */
void nytp_lag_share(nytp_recorder *r);

/* In a child that still has its parent's counters: its lag begins with the parent's. */
void nytp_lag_inherit(nytp_recorder *r);

/* This process's lag. */
int64_t nytp_lag_now(const nytp_recorder *r);

/* To be called before counters become written. */
void nytp_lag_keep(nytp_recorder *r);

static inline int nytp_lag_is_heard(const nytp_recorder *r) { return r->lag.parents != NULL; }

/* 1 if this process has forked: a child may have a lag. */
static inline int nytp_lag_has_children(const nytp_recorder *r) { return r->lag.children != NULL; }

/* Publishes the lag of this process, a child, if nytp_lag_is_heard. */
void nytp_lag_tell(nytp_recorder *r, int64_t lag);

/* The program has waited for its child pid since the last event: the child's lag is taken off the program's time. */
void nytp_lag_catch_up(nytp_recorder *r, uint32_t pid, int64_t now);

void nytp_lag_close(nytp_recorder *r);

#endif
