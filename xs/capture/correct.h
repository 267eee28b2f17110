/* SPDX-License-Identifier: MIT */
/* correct.h - takes the cost of the profiler's own events off a capture's raw ticks.
 *
 * The cost of an event is in the ticks of the place and of the node that are charged for the time behind it, and both
 * count the event. So count times price, for each kind of event, is taken off both. The sums over all places and over
 * all nodes are equal to the tick: the fraction of a tick is carried to the next delta. The error of the rest is the
 * sum of the prices' spreads, each times its count, as a price is wrong by the same amount every time. In a capture
 * without prices nothing is taken off: its ticks are meant raw, or an older profiler has corrected them. */
#ifndef NYTP_CAPTURE_CORRECT_H
#define NYTP_CAPTURE_CORRECT_H

#include "capture/format.h"

typedef struct nytp_correct {
    nytp_rec_price price[NYTP_EVENTS];
    int32_t is_settled; /* 1: the prices are the whole run's, 0: prices in the records replace them */
    int64_t subtracted; /* in this chunk so far */
    int64_t of_places, of_nodes; /* subtracted from places and from nodes, in parts of ticks (NYTP_PRICE_PARTS) */
} nytp_correct; /* all zero: without prices */

/* Begins a chunk. prices: the whole run's, or NULL to use the chunk's own. */
void nytp_correct_chunk(nytp_correct *c, const nytp_rec_price *prices);

/* Corrects the chunk's next record: a delta loses the cost of its events and gets a spread; a window gets the sum that
 * was subtracted. */
void nytp_correct_record(nytp_correct *c, nytp_record *r);

#endif
