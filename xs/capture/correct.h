/* SPDX-License-Identifier: MIT */
/* correct.h - takes off what the profiler's own events have cost: raw ticks of a capture become the program's.
 *
 * The cost of an event lies in the ticks of the place and of the node that have the time behind it, and they count it.
 * So both get their count of each kind times its price taken off, and what is taken off all places equals what is taken
 * off all nodes, to the tick: what remains of a tick goes over to the next. How far the rest may be off is the sum of
 * the prices' spreads, each once for every event: what a price lacks it lacks every time. A capture without prices has
 * nothing taken off: its ticks are wanted raw, or an older profiler has corrected them. */
#ifndef NYTP_CAPTURE_CORRECT_H
#define NYTP_CAPTURE_CORRECT_H

#include "capture/format.h"

typedef struct nytp_correct {
    nytp_rec_price price[NYTP_EVENTS];
    int32_t is_settled; /* 1: these are the whole run's, 0: prices in the records replace them */
    int64_t subtracted; /* in this chunk so far */
    int64_t of_places, of_nodes; /* the same off each, in parts of ticks (NYTP_PRICE_PARTS) */
} nytp_correct; /* all zero has no prices */

/* Another chunk begins; NULL: its own prices will do. */
void nytp_correct_chunk(nytp_correct *c, const nytp_rec_price *prices);

/* The chunk's next record: deltas lose what their events cost and get a spread; the window says how much that was. */
void nytp_correct_record(nytp_correct *c, nytp_record *r);

#endif
