/* SPDX-License-Identifier: MIT */
/* merge.h - several files of format 5 made one.
 *
 * It hears all of them twice: to plan, and to tell the merged file's events. Files of one name become one file, evals
 * stay apart unless they define the same subs for the same line, and calls between the same places are added up. Ticks
 * of another rate are converted. A DISCOUNT that an input ends with is not told, or it would take a count from the
 * next.
 */
#ifndef NYTP_V5_MERGE_H
#define NYTP_V5_MERGE_H

#include "v5/teller.h"

typedef struct nytp_v5_merge nytp_v5_merge;

/* Begins to plan. NULL when memory is short. */
nytp_v5_merge *nytp_v5_merge_open(void);

/* Events are those of the next input from now on. Inputs come in the same order both times; the name is for
 * remarks. */
void nytp_v5_merge_input(nytp_v5_merge *m, nytp_str name);

/* An event of the input; an nytp_tell, so that whatever tells events can tell them to a merge. Returns NYTP_OK,
 * NYTP_NOMEM, or what the teller said that was not 0; sticky. */
int nytp_v5_merge_event(void *merge, const nytp_v5_event *e);

/* All inputs have been heard once: tells what the file begins with. All of them have to be heard again. */
int nytp_v5_merge_begin(nytp_v5_merge *m, nytp_tell *tell, void *self);

/* And now they have: tells the rest. */
int nytp_v5_merge_finish(nytp_v5_merge *m);

/* A line for each thing that makes the sums doubtful; borrowed until close. */
nytp_str nytp_v5_merge_remarks(const nytp_v5_merge *m);

void nytp_v5_merge_close(nytp_v5_merge *m); /* takes NULL; tells nothing */

#endif
