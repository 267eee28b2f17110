/* SPDX-License-Identifier: MIT */
/* contexts.h - the calling contexts that the index page shows: a call tree of subs, without nodes too small to be
 * seen. */
#ifndef NYTP_PAGES_CONTEXTS_H
#define NYTP_PAGES_CONTEXTS_H

#include "report/calltree.h"

typedef struct nytp_contexts_cut { /* nodes of a sub that were pruned */
    int64_t calls, self;
    int64_t outermost; /* calls not below another call of the sub */
} nytp_contexts_cut;

typedef struct nytp_contexts {
    nytp_calltree tree; /* linked, the most time first */
    nytp_contexts_cut *cut; /* per sub */
} nytp_contexts; /* all zero is empty */

/* Fills an empty struct, without nodes with less than that share of the time. Returns an nytp_code. */
int nytp_contexts_build(nytp_contexts *c, const nytp_profile *p, double share);

void nytp_contexts_free(nytp_contexts *c);

#endif
