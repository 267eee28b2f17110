/* SPDX-License-Identifier: MIT */
/* calltree.h - call paths as a tree, for folded stacks, flame graphs and the pictures of the HTML report.
 *
 * A callee is a number: a sub of the profile, or the number of a name in stacks.h. Calls of one callee from several
 * lines of its caller are one node, and every phase of the program begins a path of its own. Node 0 is the root; a
 * parent comes before its children.
 *
 * The order of use: child or profile make nodes; settle or sum adds up; prune may cut; link orders; next walks. */
#ifndef NYTP_REPORT_CALLTREE_H
#define NYTP_REPORT_CALLTREE_H

#include "base/map.h"
#include "model/profile.h"
#include "report/select.h"

#define NYTP_CALLTREE_LINES UINT32_MAX

/* Deeper calls count for the node at this depth: the paths of a deep recursion would fill a disk. */
#define NYTP_CALLTREE_DEEPEST 1000

/* Flags of times that cannot be told from zero; those below zero are 0. */
enum nytp_calltree_untold { NYTP_CALLTREE_SELF = 1, NYTP_CALLTREE_TOTAL = 2 };

typedef struct nytp_calltree_options {
    int32_t calls;     /* 1: values are calls, not ticks */
    uint32_t metric;   /* else values are those of this metric of the profile, from 1; 0: ticks */
    int32_t subs_only; /* 1: paths begin with the first sub, without phases such as main::RUNTIME */
    int32_t processes; /* 1: paths begin below a node for their process, which has subs_n and its index as callee; for
                          profiles with processes apart (load.h) */
    uint32_t *to;      /* per context of the profile: gets its node, 0 if it is left out. NULL: not wanted */
    const nytp_selection *selection; /* only paths with a chosen sub, from the sub where --from begins; NULL: all */
} nytp_calltree_options; /* all zero: ticks */

typedef struct nytp_calltree_node {
    uint32_t parent, callee;
    uint32_t child, next; /* first child and next sibling; 0 is none. Valid after linking */
    uint32_t file, line;  /* where the calls were made; NYTP_CALLTREE_LINES: on several lines */
    float spread;         /* error of total */
    uint16_t depth;       /* of node 0: 0 */
    uint8_t is_seen;      /* 1: a path ends here */
    uint8_t is_cut;       /* 1: pruned */
    uint8_t is_nested;    /* 1: an ancestor, not node 0, has the same callee */
    uint8_t untold;       /* enum nytp_calltree_untold */
    uint8_t is_needed;    /* 1: not to be pruned; then neither may be its parent */
    int64_t calls, self;  /* self: in the unit of the values */
    int64_t total;        /* with all nodes below */
    int64_t cut;          /* of total: what was pruned below */
} nytp_calltree_node;

typedef struct nytp_calltree {
    nytp_arena arena;
    nytp_calltree_node *at;
    uint32_t n, room;
    uint32_t kept;     /* nodes that are linked, node 0 included */
    nytp_map others;   /* of parent and callee to those children that are in no list; only until linking */
    int64_t *deltas;   /* for the first deltas_n nodes: second measurement less the first; totals after the sum */
    uint32_t deltas_n; /* 0: there was none */
    int32_t is_summed;
} nytp_calltree; /* all zero is an empty tree */

/* The child of parent that stands for callee, made if it is new. The first call makes node 0, too, and has it as
 * parent. UINT32_MAX when memory is short. */
uint32_t nytp_calltree_child(nytp_calltree *t, uint32_t parent, uint32_t callee);

/* Adds the calling contexts of a profile that the options select. callees: per sub its number; NULL: the sub itself.
 * Returns an nytp_code. */
int nytp_calltree_profile(nytp_calltree *t, const nytp_profile *p, const uint32_t *callees,
                          const nytp_calltree_options *options);

/* Adds to the difference of a second measurement at a node. Returns an nytp_code. */
int nytp_calltree_differ(nytp_calltree *t, uint32_t i, int64_t delta);

int64_t nytp_calltree_delta(const nytp_calltree *t, uint32_t i);

/* Sums up totals, once. */
void nytp_calltree_sum(nytp_calltree *t);

/* Sums up ticks: afterwards none is below zero, and a node is at least as wide as its children; the difference is
 * subtracted from the caller. */
void nytp_calltree_settle(nytp_calltree *t);

/* Marks nested nodes. Callees are below `callees`. Returns an nytp_code. */
int nytp_calltree_nest(nytp_calltree *t, uint32_t callees);

/* The least value that options->selection shows, in the unit of the values. */
int64_t nytp_calltree_least(const nytp_profile *p, const nytp_calltree_options *options);

/* Prunes nodes, and adds their values to those of their callers. */
void nytp_calltree_merge(nytp_calltree *t, int64_t least);

/* Marks nodes whose total is below least and that are not needed; the totals of the others stay. After the sum. */
void nytp_calltree_prune(nytp_calltree *t, int64_t least);

/* Links the nodes that are not pruned: in the order in which nodes were made, or the most total time first and then by
 * the ordinal of the callee. ordinals NULL: the callee itself. by_total 0: by ordinal alone. The second returns an
 * nytp_code. Nothing may be added afterwards. */
void nytp_calltree_link_made(nytp_calltree *t);
int nytp_calltree_link(nytp_calltree *t, const uint32_t *ordinals, int by_total);

/* The node after i, parents before children; 0 behind the last, and the first one after 0. */
uint32_t nytp_calltree_next(const nytp_calltree *t, uint32_t i);

void nytp_calltree_free(nytp_calltree *t);

#endif
