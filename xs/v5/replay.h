/* SPDX-License-Identifier: MIT */
/* replay.h - makes events of Devel::NYTProf's file format 5 of a capture.
 *
 * Format 5 has an event for every statement and every call; a capture has counts and sums. So n statements that took t
 * in a window become n TIME_LINE events (TIME_BLOCK with option blocks) that share t, and time without a new statement
 * becomes a DISCOUNT and one event. Ticks are of 100 ns; the rest of rounding is carried to the place's next window, so
 * that a line is never off by a tick. Calls are emitted at the end, from the tree of calling contexts: n SUB_RETURN
 * events behind those of the callees, each with an n-th of the time.
 *
 * The order is: VERSION, attributes, options, START_DEFLATE; for each stream PID_START, then its files, source and
 * statements as they come; at the end the calls, cumulative_overhead_ticks, SUB_INFO, SUB_CALLERS, and PID_END of every
 * process that came to its end. Several streams share one numbering of files: files of one name are one file, but evals
 * of different processes are not. Memory grows with definitions and contexts only. */
#ifndef NYTP_V5_REPLAY_H
#define NYTP_V5_REPLAY_H

#include "capture/format.h"
#include "v5/emitter.h"

typedef struct nytp_replay nytp_replay;

/* The most statements and calls that are replayed at all, as a hostile capture may claim any number. Emitting that many
 * takes some minutes. A program that does nothing but run statements has run them after three minutes, most programs
 * after an hour. */
#define NYTP_REPLAY_MOST (INT64_C(1) << 33)

/* most: the most statements and calls that may be emitted. NULL when memory is short. */
nytp_replay *nytp_replay_open(nytp_v5_callback *callback, void *self, int64_t most);

/* Takes the next record, as nytp_reader_next gives it, and its stream; strings are copied where they are kept. Returns
 * NYTP_OK, NYTP_NOMEM, NYTP_FORMAT for more statements and calls than allowed, of which those of this record are not
 * emitted, or what the callback returned that was not 0. The failure is sticky. */
int nytp_replay_record(nytp_replay *r, const nytp_record *record, const nytp_stream_id *who);

/* Emits the file's beginning, if that has not happened yet; the first record that is not part of the beginning does the
 * same. */
int nytp_replay_begin(nytp_replay *r);

/* Ends the records and emits the rest. To be called once. Returns as nytp_replay_record. */
int nytp_replay_finish(nytp_replay *r);

void nytp_replay_allow(nytp_replay *r, int64_t more); /* that many more statements and calls than `most` */

void nytp_replay_close(nytp_replay *r); /* takes NULL; emits nothing */

#endif
