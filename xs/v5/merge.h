/* SPDX-License-Identifier: MIT */
/* merge.h - several files of format 5 made one.
 *
 * All events of all inputs are given twice: once to plan, once to emit the merged file's events. Files of one name
 * become one file, evals stay apart unless they define the same subs for the same line, and calls between the same
 * places are added up. Ticks of another rate are converted. A DISCOUNT at the end of an input is dropped, as it would
 * take a count from the next input.
 */
#ifndef NYTP_V5_MERGE_H
#define NYTP_V5_MERGE_H

#include "v5/emitter.h"

typedef struct nytp_v5_merge nytp_v5_merge;

/* Begins to plan. NULL when memory is short. */
nytp_v5_merge *nytp_v5_merge_open(void);

/* Begins the next input. Inputs come in the same order in both passes; the name is for remarks. */
void nytp_v5_merge_input(nytp_v5_merge *m, nytp_str name);

/* An event of the input; an nytp_v5_callback, so that a merge can follow any source of events. Returns NYTP_OK,
 * NYTP_NOMEM, or what the callback returned that was not 0; sticky. */
int nytp_v5_merge_event(void *merge, const nytp_v5_event *e);

/* Ends the first pass: emits the beginning of the merged file. The second pass follows. */
int nytp_v5_merge_begin(nytp_v5_merge *m, nytp_v5_callback *callback, void *self);

/* Ends the second pass: emits the rest. */
int nytp_v5_merge_finish(nytp_v5_merge *m);

/* A line for each difference that makes the sums doubtful; borrowed until close. */
nytp_str nytp_v5_merge_remarks(const nytp_v5_merge *m);

void nytp_v5_merge_close(nytp_v5_merge *m); /* takes NULL; emits nothing */

#endif
