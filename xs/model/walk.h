/* SPDX-License-Identifier: MIT */
/* walk.h - the lines of a file one after another, each with its figures, subs, calls and evals. */
#ifndef NYTP_MODEL_WALK_H
#define NYTP_MODEL_WALK_H

#include "model/profile.h"

typedef struct nytp_walk {
    const nytp_profile *p;
    const nytp_file *f;
    uint32_t line; /* 0 before the first */
    const nytp_line *level[NYTP_LEVELS]; /* NULL if the level has no entry for the line */
    uint32_t carrier;                    /* of a line merged into another, else 0 */
    nytp_slice subs;                     /* of `defined`: subs that begin here */
    nytp_slice calls, evals;             /* of `sites` and of `evals` */
} nytp_walk;

/* Before line 1. The walk borrows p and f, needs no end, and cannot fail. */
nytp_walk nytp_walk_begin(const nytp_profile *p, const nytp_file *f);

/* Moves to a later line. */
void nytp_walk_to(nytp_walk *w, uint32_t line);

/* Whether the line has no entries; it may have text. */
int nytp_walk_empty(const nytp_walk *w);

/* The next line with entries, or UINT32_MAX. */
uint32_t nytp_walk_next(const nytp_walk *w);

#endif
