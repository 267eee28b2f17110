/* SPDX-License-Identifier: MIT */
/* sequence.h - calls in the order of their beginnings and ends (calls=2), told between one event and the next.
 *
 * Nothing is added to the hot path: an order wants to be asked at every event, as if a window were due each time, and
 * sees by what has been touched since the last one which calls have begun, and by where we are which have ended. */
#ifndef NYTP_RECORD_SEQUENCE_H
#define NYTP_RECORD_SEQUENCE_H

#include "record/recorder.h"

static inline int nytp_sequence_is_wanted(const nytp_recorder *r) { return r->options->calls > 1; }

/* When the next window is; with an order, every event is asked. */
void nytp_sequence_due(nytp_recorder *r, int64_t when);

/* Whether the deadline that has passed is an order's only, and no window's. */
int nytp_sequence_only(const nytp_recorder *r, int64_t now);

void nytp_sequence_close(nytp_sequence *o);

/* Finds out what has begun and ended, and returns whether anything has ended; then, behind the nodes' deltas, writes
 * it. Calls of folded contexts end at once: which of them is left is not known. Memory that is short fails the
 * recorder. */
int nytp_sequence_find(nytp_recorder *r);
void nytp_sequence_write(nytp_recorder *r, int64_t now);

#endif
