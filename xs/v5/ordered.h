/* SPDX-License-Identifier: MIT */
/* ordered.h - events for calls in the order in which they began and ended (calls=2). Private to replay. */
#ifndef NYTP_V5_ORDERED_H
#define NYTP_V5_ORDERED_H

#include "v5/summary.h"

typedef struct nytp_ordered { /* of one stream */
    nytp_buf running;         /* of struct running: the calls that have not ended, the innermost last */
    nytp_buf taken;           /* by context (int64_t): ticks of format 5 given to earlier calls */
    double scale;             /* from the stream's ticks to those of format 5 */
} nytp_ordered;               /* all zero but scale, to be set before each use */

/* Emits the events of a call_entry or call_return; nodes maps the stream's ids to numbers of the summary + 1. A call
 * ends with its callees still running, and its exclusive time is its context's since the call before; the return of a
 * call that has not begun is dropped. 1 if an event was emitted. */
int nytp_ordered_record(nytp_ordered *o, const nytp_summary *s, const nytp_map *nodes, const nytp_record *from,
                        nytp_emitter *to);

/* Ends all running calls. */
void nytp_ordered_finish(nytp_ordered *o, const nytp_summary *s, nytp_emitter *to);

void nytp_ordered_close(nytp_ordered *o);

#endif
