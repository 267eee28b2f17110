/* SPDX-License-Identifier: MIT */
/* callers.h - which subs call a sub, which call those, and so on: a tree of calling lines. */
#ifndef NYTP_MODEL_CALLERS_H
#define NYTP_MODEL_CALLERS_H

#include "base/table.h"
#include "model/profile.h"

/* Calls of the sub that came through a line of a caller, and on through the lines of the rows above it. */
typedef struct nytp_caller {
    uint32_t sub, file, line; /* the caller, and where it makes the call; file 0 or line NYTP_LINE_UNKNOWN: not known */
    uint32_t parent;          /* what it calls; row 0 is the sub itself, with all of its calls */
    uint32_t child, next;     /* first child and next sibling; 0 is none */
    uint32_t level;           /* 0 of row 0 */
    int64_t calls;            /* of the sub */
    int64_t self, total;      /* ticks of the sub in these calls; total is of outermost calls only */
} nytp_caller;

typedef struct nytp_callers {
    nytp_arena arena;
    nytp_caller *at;
    uint32_t n, room;
    int32_t is_cut;   /* 1: the profile has direct callers only */
    nytp_table found; /* rows by parent, sub, file and line */
} nytp_callers; /* all zero is empty */

/* Fills an empty tree with `depth` levels of callers, siblings with the most time first, or with the most calls.
 * Returns an nytp_code; to be freed in any case. */
enum nytp_code nytp_callers_find(nytp_callers *c, const nytp_profile *p, uint32_t sub, uint32_t depth, int by_calls);

/* The row behind i, callees before their callers; 0 behind the last. skips 1: without the callers of i. */
uint32_t nytp_callers_next(const nytp_callers *c, uint32_t i, int skips);

void nytp_callers_free(nytp_callers *c);

#endif
