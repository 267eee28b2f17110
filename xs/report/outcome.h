/* SPDX-License-Identifier: MIT */
/* outcome.h - a build as a whole: how long, how many processes, how many at a time, which failed, which only waited. */
#ifndef NYTP_REPORT_OUTCOME_H
#define NYTP_REPORT_OUTCOME_H

#include "model/levels.h"
#include "report/command.h"

#define NYTP_OUTCOME_LISTED 10 /* processes of a list */

typedef struct nytp_outcome_line {
    double key;     /* the larger, the earlier in the list */
    double seconds, cpu;
    uint64_t status;
    nytp_command_label label;
} nytp_outcome_line;

typedef struct nytp_outcome_list {
    nytp_outcome_line lines[NYTP_OUTCOME_LISTED];
    uint64_t n; /* also those that are not listed */
} nytp_outcome_list;

typedef struct nytp_outcome {
    nytp_command_label command; /* of the first process */
    uint64_t processes, failed, killed, left;
    uint64_t unseen;             /* makes and the like of which nothing was seen */
    int32_t lacks_memory;        /* 1: something is not known for want of it */
    int64_t first, last, before; /* first begin, last end, latest event */
    int64_t jobs;                /* processes, but the first ones, that run and have no child that runs: recipes */
    nytp_levels levels;          /* but the longest recipe, which the caller sets */
    nytp_outcome_list failures, waits;
} nytp_outcome; /* all zero: nothing yet */

/* Takes an event of nytp_processes_next. */
void nytp_outcome_take(nytp_outcome *o, int event, const nytp_built *process);

/* Appends what is known in the end. */
void nytp_outcome_put(nytp_buf *out, const nytp_outcome *o, const nytp_processes_counts *counts);

/* Appends how many ran at a time, and the lists of failures and waits. */
void nytp_outcome_put_lists(nytp_buf *out, const nytp_outcome *o);

#endif
