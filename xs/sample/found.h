/* SPDX-License-Identifier: MIT */
/* found.h - the recorder's place and node for a stack that a walk has found.
 *
 * What is known of a frame is kept by its addresses and by the number of its compilation, which tells an address that
 * perl has used again. */
#ifndef NYTP_SAMPLE_FOUND_H
#define NYTP_SAMPLE_FOUND_H

#include "record/recorder.h"
#include "sample/unwind.h"

typedef struct nytp_known_frame { /* what a frame has been found to be */
    nytp_frame frame;
    nytp_live_sub *sub; /* NULL: of no sub */
    nytp_live_place *place;
} nytp_known_frame;

typedef struct nytp_step { /* of the latest stack */
    nytp_frame frame;
    nytp_live_place *place;
    nytp_live_node *node;
} nytp_step;

typedef struct nytp_found {
    nytp_recorder *r;            /* borrowed, as is ... */
    const nytp_subject *target;
    int is_elsewhere;            /* 1: names of files are those of another root directory, and not looked for */
    nytp_map by_frame;           /* 1 + index in known, by a hash */
    nytp_known_frame *known;
    uint32_t known_n, known_room;
    nytp_step levels[NYTP_UNWIND_DEEPEST]; /* outermost first */
    uint32_t level_n;
    nytp_map evals;              /* ids of string evals' files, by perl's number; ... */
    nytp_map folded_evals;       /* ... of those that share a file */
    nytp_map leaves;             /* ids of subs without frames, by where they are called or by their code */
    nytp_buf name, text;         /* for reading */
} nytp_found; /* all zero but r and target, at first */

typedef struct nytp_standing {
    nytp_live_place *place;
    nytp_live_node *node;
} nytp_standing;

/* Where that stack is. place is NULL when memory is short (the recorder is then dead). */
nytp_standing nytp_found_find(nytp_found *c, const nytp_stack *s);

void nytp_found_free(nytp_found *c);

#endif
