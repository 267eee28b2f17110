/* SPDX-License-Identifier: MIT */
/* subpaths.h - the call paths of a profile for exports with a frame for each sub: a call tree (report/calltree.h) with
 * a node for each process below node 0, and the paths below these, the most time first. */
#ifndef NYTP_EXPORT_SUBPATHS_H
#define NYTP_EXPORT_SUBPATHS_H

#include "report/calltree.h"

/* Fills an empty tree. Option processes is always set. Values below zero are subtracted from the caller's, and frames
 * with less than the selection shows are merged into their callers. Returns an nytp_code; to be freed in any case. */
int nytp_subpaths_make(nytp_calltree *t, const nytp_profile *p, const nytp_calltree_options *options);

/* For a node of a process, its index. */
static inline uint32_t nytp_subpaths_process(const nytp_profile *p, const nytp_calltree *t, uint32_t i) {
    return t->at[i].callee - p->subs_n;
}

/* A node's own value. In a report whose times are whole (registry.h) that of time is nanoseconds. */
static inline uint64_t nytp_subpaths_value(const nytp_calltree *t, uint32_t i) {
    return t->at[i].self > 0 ? (uint64_t)t->at[i].self : 0;
}

/* The first node of the tree behind node 0; 0: there is none. */
static inline uint32_t nytp_subpaths_first(const nytp_calltree *t) { return t->n ? nytp_calltree_next(t, 0) : 0; }

#endif
