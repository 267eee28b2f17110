/* SPDX-License-Identifier: MIT */
/* sequence.h - entries and returns of calls in their order (calls=2), found between one event and the next.
 *
 * The hot path is unchanged: with a sequence a window counts as due at every event. The nodes touched since the last
 * event show the calls that began, the current node shows the calls that ended. */
#ifndef NYTP_RECORD_SEQUENCE_H
#define NYTP_RECORD_SEQUENCE_H

#include "record/state.h"

static inline int nytp_sequence_is_wanted(const nytp_recorder *r) { return r->options->calls > 1; }

/* Sets the time of the next window; with a sequence every event is noted. */
void nytp_sequence_due(nytp_recorder *r, int64_t when);

/* The next window is at `when` at the latest, unless the next event is to notice a fork. */
static inline void nytp_sequence_hasten(nytp_recorder *r, int64_t when) {
    if (!nytp_may_have_forked(r) && r->sequence.due > when) nytp_sequence_due(r, when);
}

/* Whether only the sequence is due, and no window. */
int nytp_sequence_only(const nytp_recorder *r, int64_t now);

void nytp_sequence_close(nytp_sequence *o);

/* nytp_sequence_find finds the calls that began and ended, and returns whether any has ended; nytp_sequence_write
 * writes them, behind the nodes' deltas. Calls of folded contexts end at once, as it is unknown which of them is left.
 * Without memory the recorder fails. */
int nytp_sequence_find(nytp_recorder *r);
void nytp_sequence_write(nytp_recorder *r, int64_t now);

#endif
