/* SPDX-License-Identifier: MIT */
/* subpaths.c - the call paths of a profile for exports with a frame for each sub. */
#include "export/subpaths.h"

/* Processes and the first frames of paths stay. */
static void merge_small(nytp_calltree *t, int64_t least) {
    for (uint32_t i = 1; i < t->n; i++)
        if (t->at[i].depth == 2) t->at[i].is_needed = 1;
    nytp_calltree_merge(t, least);
}

/* Nodes without calls and time, such as that for lost data of which there is none. */
static void cut_empty(nytp_calltree *t) {
    for (uint32_t i = t->n; i-- > 1;) {
        nytp_calltree_node *node = &t->at[i];
        if (node->is_cut) continue;
        if (!node->calls && !node->self && !node->is_seen && !node->is_needed) node->is_cut = 1;
        else t->at[node->parent].is_needed = 1;
    }
}

int nytp_subpaths_make(nytp_calltree *t, const nytp_profile *p, const nytp_calltree_options *options) {
    nytp_calltree_options by_process = *options;
    int64_t least = nytp_calltree_least(p, options);
    by_process.processes = 1;
    if (nytp_calltree_profile(t, p, NULL, &by_process)) return NYTP_NOMEM;
    nytp_calltree_settle(t);
    for (uint32_t i = 1; i < t->n; i++)
        if (t->at[i].depth == 1) t->at[i].is_needed = 1;
    if (least > 0) merge_small(t, least);
    cut_empty(t);
    return nytp_calltree_link(t, NULL, 1);
}
