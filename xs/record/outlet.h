/* SPDX-License-Identifier: MIT */
/* outlet.h - the file that recorders of a process share, and what they have taken of it. */
#ifndef NYTP_RECORD_OUTLET_H
#define NYTP_RECORD_OUTLET_H

#include <stdatomic.h>
#include <stdint.h>

#include "capture/held.h"

typedef struct nytp_budget { /* see budget.h */
    uint64_t begun_ns;           /* CLOCK_MONOTONIC when the file was begun */
    atomic_uint_least64_t bytes; /* of all streams of this process in the file ... */
    atomic_uint_least64_t spent; /* ... and of these the bytes of windows that are no drafts */
} nytp_budget;

/* One file for several recorders of a process that have the same file name: each appends its stream. All but budget
 * and evals is used while an output is opened, under a lock of the front end. */
typedef struct nytp_outlet {
    nytp_held file; /* none yet: NYTP_HELD_NONE, as second */
    nytp_held second; /* the same, for overwriting: a later recorder may come when the process may not open it */
    uint32_t pid;   /* of the process that opened it */
    unsigned char run[16]; /* of all its streams, and those of forked children; all zero: none yet */
    char *base, *name; /* the path asked for, and the file */
    nytp_budget budget;
    atomic_uint evals; /* with a file of their own, of all recorders up to now: option maxevals limits them */
} nytp_outlet;

#define NYTP_OUTLET_NONE {.file = NYTP_HELD_NONE, .second = NYTP_HELD_NONE}

/* What a recorder's output has to do with a budget. */
typedef struct nytp_share {
    nytp_budget own;   /* of a file without an outlet */
    uint32_t is_shared; /* 1: the outlet's budget counts instead */
    uint64_t told;     /* bytes of the output that the budget has */
    uint64_t older;    /* seconds by which the file is older than the output */
} nytp_share;

#endif
