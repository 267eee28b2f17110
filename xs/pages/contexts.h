/* SPDX-License-Identifier: MIT */
/* contexts.h - the calling contexts that the index page shows: a call tree of subs, with its time and the metrics that
 * add up, without nodes too small to be seen in any of them. */
#ifndef NYTP_PAGES_CONTEXTS_H
#define NYTP_PAGES_CONTEXTS_H

#include "report/calltree.h"
#include "report/shown.h"

typedef struct nytp_contexts_cut { /* nodes of a sub that were pruned */
    int64_t calls, self;
    int64_t outermost; /* calls not below another call of the sub */
} nytp_contexts_cut;

typedef struct nytp_contexts_metric { /* columns of one; none below 0 */
    int64_t *self, *cut; /* per node of the tree: its own, and of pruned nodes below */
    int64_t *cut_self;   /* per sub: of its pruned nodes */
    int64_t total;
} nytp_contexts_metric;

typedef struct nytp_contexts {
    nytp_calltree tree; /* linked, the most time first */
    uint32_t *to;           /* per context of the profile: its node */
    nytp_contexts_cut *cut; /* per sub */
    nytp_contexts_metric metrics[NYTP_FORMAT_METRICS]; /* of those shown; without columns where the largest counts */
} nytp_contexts; /* all zero is empty */

/* Fills an empty struct, without nodes that have less than that share of the time and of each of these metrics. Returns
 * an nytp_code. */
int nytp_contexts_build(nytp_contexts *c, const nytp_profile *p, const nytp_shown *shown, double share);

void nytp_contexts_free(nytp_contexts *c);

#endif
