/* SPDX-License-Identifier: MIT */
/* calltree.h - calling contexts as a reader looks at them: calls of one sub from several lines of its caller are one
 * node, and every phase of the program begins a path of its own.
 *
 * Node 0 stands for all of it. A parent comes before its children; times are ticks, never below zero, so that a node is
 * at least as wide as its children together: what is below zero is taken from the caller. */
#ifndef NYTP_PAGES_CALLTREE_H
#define NYTP_PAGES_CALLTREE_H

#include "model/profile.h"

#define NYTP_CALLTREE_LINES UINT32_MAX
#define NYTP_CALLTREE_DEEPEST 1000 /* paths go on in the node at that depth */

/* Times that cannot be told from nothing; where they were below zero, they are 0. */
enum nytp_calltree_untold { NYTP_CALLTREE_SELF = 1, NYTP_CALLTREE_TOTAL = 2 };

typedef struct nytp_calltree_node {
    uint32_t parent, sub;
    uint32_t child, next; /* first child and next sibling, the most time first; 0 is none */
    uint16_t depth;       /* of node 0: 0 */
    uint8_t is_nested;    /* 1: an ancestor, not node 0, has the same sub */
    uint8_t untold;       /* enum nytp_calltree_untold */
    float spread;         /* how far total may be off */
    uint32_t file, line;  /* where the calls were made; NYTP_CALLTREE_LINES: on several lines */
    int64_t calls, self, total;
    int64_t cut;          /* of total: time of what was pruned below */
} nytp_calltree_node;

typedef struct nytp_calltree_cut { /* nodes of a sub that were pruned */
    int64_t calls, self;
    int64_t outermost; /* of calls: those that are not below another of the sub */
} nytp_calltree_cut;

typedef struct nytp_calltree {
    nytp_arena arena;
    nytp_calltree_node *at;
    nytp_calltree_cut *cut; /* per sub */
    uint32_t n, room;
    uint32_t kept; /* nodes that are still linked, node 0 included */
} nytp_calltree; /* all zero is an empty one */

/* The whole tree, without nodes that have less than share of all the time. Returns an nytp_code. */
int nytp_calltree_build(nytp_calltree *t, const nytp_profile *p, double share);

/* The node after i, parents before children; 0 behind the last, and the first one after 0. */
uint32_t nytp_calltree_next(const nytp_calltree *t, uint32_t i);

void nytp_calltree_free(nytp_calltree *t);

#endif
