/* SPDX-License-Identifier: MIT */
/* timeline.h - the calls of one stream in their order (calls=2), as spans of time. Private to load.
 *
 * Time is what was charged to the stream's calls up to then, without the profiler's own cost: the length of a call is
 * its time and its callees', and the lengths of a sub's outermost calls are its inclusive time to the tick. The time of
 * a context stands in the capture before the end of its call, but, where two calls came between two notes of the
 * recorder, perhaps before its beginning; so it waits until the call is the innermost one. A time below zero, where the
 * profiler's cost was overestimated, waits for more: the clock does not go back. */
#ifndef NYTP_MODEL_TIMELINE_H
#define NYTP_MODEL_TIMELINE_H

#include "base/buf.h"
#include "model/ids.h"
#include "model/profile.h"

typedef struct nytp_timeline {
    int64_t now;      /* ticks up to now */
    int64_t passed;   /* ticks of statements of format 5 up to now; 0 of captures */
    nytp_buf running; /* of struct running: the calls that have not ended, the innermost last */
    nytp_buf nodes;   /* of struct node: those met so far */
    nytp_ids numbers; /* index of the profile to index of nodes + 1 */
    uint32_t strays;  /* ends of calls without a beginning */
} nytp_timeline;      /* all zero is empty */

/* 0: all is empty, as of a stream of which no calls are kept. */
static inline int nytp_timeline_is_used(const nytp_timeline *t) { return t->nodes.n || t->running.n || t->strays; }

/* Time is charged to a node of the profile; it may be below zero. Returns NYTP_OK or NYTP_NOMEM, as all do. */
enum nytp_code nytp_timeline_charge(nytp_timeline *t, uint32_t node, int64_t ticks);

/* A call of that node begins or ends. Calls that it shows to have ended unnoticed, with a chunk that is lost, end
 * first; an end without a beginning is counted as a stray. */
enum nytp_code nytp_timeline_begin(nytp_timeline *t, const nytp_profile *p, nytp_process *to, uint32_t node);
void nytp_timeline_end(nytp_timeline *t, nytp_process *to, uint32_t node);

#define NYTP_TIMELINE_NO_SUB UINT32_MAX /* of a call of format 5 that never returned */

/* The same for format 5, where the depth tells calls apart, only the end has the sub and the call's own time, and
 * numbers of subs are the caller's. Time of statements passes in the main program as far as calls do not have it: that
 * of the statement which calls a builtin follows the call, and contains it. */
enum nytp_code nytp_timeline_enter(nytp_timeline *t, nytp_process *to);
enum nytp_code nytp_timeline_return(nytp_timeline *t, nytp_process *to, uint32_t depth, uint32_t sub,
                                    int64_t exclusive);
void nytp_timeline_pass(nytp_timeline *t, int64_t ticks);

/* Leaves the calls that are running open, up to now, and frees everything but now. */
void nytp_timeline_finish(nytp_timeline *t, nytp_process *to);

#endif
