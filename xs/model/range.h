/* SPDX-License-Identifier: MIT */
/* range.h - a profile of a part of the windows of captures: those of a range of time, or those that came since an
 * earlier load. Private to load.
 *
 * A window counts as a whole, in the range that has its end, so the profiles of ranges that follow each other add up to
 * the profile of the whole. Definitions come from all windows. A stream has a weight for the window being read: 1 if it
 * counts, else 0; -1 for a draft of which a later state counts (taken.h). */
#ifndef NYTP_MODEL_RANGE_H
#define NYTP_MODEL_RANGE_H

#include "model/loader.h"

/* 1 if options ask for a part. */
static inline int nytp_range_is_asked(const nytp_load_options *o) { return o->from || o->to || o->since || o->taken; }

/* The stream has entered a chunk. */
void nytp_range_enter(const nytp_loader *l, nytp_stream *s);

/* Multiplies a record's amounts by the weight of its chunk, whose bytes are given. 0 if nothing of it is left to be
 * taken, or if memory is short, with l->e set. */
int nytp_range_leaves(nytp_loader *l, nytp_stream *s, nytp_record *r, nytp_str bytes);

/* The draft that was taken before of a stream, if a window that has all of it has been counted since; else NULL. */
const nytp_taken_stream *nytp_range_replaced(const nytp_loader *l, const nytp_stream *s, const nytp_stream_id *id);

/* When a capture is read: drops the calls of a process that are outside the range. */
void nytp_range_drop_calls(nytp_process *process);

/* When all are read: ends what is taken, and refuses a range of time without a window. Returns an nytp_code. */
enum nytp_code nytp_range_finish(nytp_loader *l);

#endif
