/* SPDX-License-Identifier: MIT */
/* ordered.h - calls of a capture told as they began and ended (calls=2). Private to replay. */
#ifndef NYTP_V5_ORDERED_H
#define NYTP_V5_ORDERED_H

#include "v5/summary.h"

typedef struct nytp_ordered { /* of one stream */
    nytp_buf running;         /* of struct running: the calls that have not ended, the innermost last */
    nytp_buf taken;           /* by context (int64_t): ticks of its own that earlier calls have had */
    double scale;             /* from the stream's ticks to those of format 5 */
} nytp_ordered;               /* all zero but scale, to be set before each use */

/* Tells what a call_entry or call_return says; nodes has the stream's ids, to numbers of the summary + 1. A call ends
 * with all that it has called, and its own time is what its context has got since the call before; one that has not
 * begun is not told. 1 if something was told. */
int nytp_ordered_record(nytp_ordered *o, const nytp_summary *s, const nytp_map *nodes, const nytp_record *from,
                        nytp_teller *to);

/* All that are running end. */
void nytp_ordered_finish(nytp_ordered *o, const nytp_summary *s, nytp_teller *to);

void nytp_ordered_close(nytp_ordered *o);

#endif
