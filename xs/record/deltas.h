/* SPDX-License-Identifier: MIT */
/* deltas.h - the differences between what has been counted and what has been written, for places and nodes that were
 * touched. Counters are never set back: what is written is noted beside them. */
#ifndef NYTP_RECORD_DELTAS_H
#define NYTP_RECORD_DELTAS_H

#include "record/recorder.h"

/* The number of calls of n, wraps of its counter included; for the root in the current output only. */
int64_t nytp_deltas_calls(const nytp_recorder *r, const nytp_live_node *n);

/* Put records of the queued nodes and places, but for one place by id (NYTP_DELTAS_ALL: none is left out). With totals
 * the calls of nodes are those of earlier outputs, too. */
#define NYTP_DELTAS_ALL UINT32_MAX
void nytp_deltas_put_nodes(nytp_recorder *r, int totals);
void nytp_deltas_put_places(nytp_recorder *r, uint32_t spared);

/* What was put is written: empties the queues, but the spared place's counters are not written. 0: memory is short. */
int nytp_deltas_settle(nytp_recorder *r, uint32_t spared);
int nytp_deltas_settle_nodes(nytp_recorder *r); /* the nodes only */

/* What was put is a draft: it will be put again, with what is counted until then. Keeps counters from wrapping round
 * in the meantime. 0: memory is short. */
int nytp_deltas_keep(nytp_recorder *r);

/* Has what is not written yet of the one counted for the other, which has time and events more, and no calls. Neither
 * is in a draft. The latter: 0: memory is short. */
void nytp_deltas_move_place(nytp_live_place *from, nytp_live_place *to);
int nytp_deltas_move_node(nytp_recorder *r, nytp_live_node *from, nytp_live_node *to);

/* Drops what is not written yet. */
void nytp_deltas_forget(nytp_recorder *r);

#endif
