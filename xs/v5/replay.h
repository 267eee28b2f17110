/* SPDX-License-Identifier: MIT */
/* replay.h - tells a capture of ours as the events of Devel::NYTProf's file format 5.
 *
 * That format has an event for every statement and every call; a capture has counts and sums. So n statements that took
 * t in a window are told as n TIME_LINE events (TIME_BLOCK with option blocks) that share t, and time without a new
 * statement as a DISCOUNT and one event. Ticks are of 100 ns; what rounding takes is carried over to the same place's
 * next window, so that a line is never off by a tick. Calls are told at the end, from the tree of calling contexts: n
 * SUB_RETURN events behind those of the callees, each with an n-th of the time.
 *
 * The order is: VERSION, attributes, options, START_DEFLATE; for each stream PID_START, then its files, source and
 * statements as they come; at the end the calls, cumulative_overhead_ticks, SUB_INFO, SUB_CALLERS, and PID_END of every
 * process that came to its end. Several streams share one numbering of files: what has one name is one file, but evals
 * of different processes are not. Memory grows with definitions and contexts only. */
#ifndef NYTP_V5_REPLAY_H
#define NYTP_V5_REPLAY_H

#include "capture/format.h"
#include "v5/teller.h"

typedef struct nytp_replay nytp_replay;

/* A hostile capture may claim any number. So many take some minutes to tell, and at least as long to make: a program
 * that does nothing but run statements has them after three minutes, most after an hour. */
#define NYTP_REPLAY_MOST (INT64_C(1) << 33)

/* At most so many statements and calls are going to be told. NULL when memory is short. */
nytp_replay *nytp_replay_open(nytp_tell *tell, void *self, int64_t most);

/* The next record, as nytp_reader_next gives it, and whose it is; strings are copied where they are kept. Returns
 * NYTP_OK, NYTP_NOMEM, NYTP_FORMAT if there are more statements and calls than allowed, of which those of this record
 * are not told, or what tell returned that was not 0; after such a failure calls do nothing but return it again. */
int nytp_replay_record(nytp_replay *r, const nytp_record *record, const nytp_stream_id *who);

/* Tells what opens the file now, if it is not told yet: a record that is no part of it does so, too. */
int nytp_replay_begin(nytp_replay *r);

/* There are no more records: tells the rest. Once. Returns as nytp_replay_record. */
int nytp_replay_finish(nytp_replay *r);

void nytp_replay_close(nytp_replay *r); /* takes NULL; tells nothing */

#endif
