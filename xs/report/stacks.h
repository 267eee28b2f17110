/* SPDX-License-Identifier: MIT */
/* stacks.h - call paths by names: what folded stacks and flame graphs are made of.
 *
 * A call tree (calltree.h) whose callees are names: subs of one name are one frame. A value is whatever is counted:
 * ticks, calls, samples. */
#ifndef NYTP_REPORT_STACKS_H
#define NYTP_REPORT_STACKS_H

#include "report/calltree.h"

typedef struct nytp_stacks {
    nytp_calltree tree;
    nytp_str *names; /* by the callee's number; borrowed, or in the tree's arena */
    uint32_t names_n, names_room;
    nytp_map numbers; /* hash of a name to 1 + its number; only until sorting */
} nytp_stacks; /* all zero is an empty one */

enum nytp_stacks_order {
    NYTP_STACKS_HEAVIEST, /* by total, then name: drawn in this order time and width agree */
    NYTP_STACKS_RETURNS   /* by when a sub of that name first returned, as far as a tree tells */
};

/* The frame of that name below parent, made if it is new; the name must live as long as s. UINT32_MAX when memory is
 * short. The first call makes the root too. */
uint32_t nytp_stacks_push(nytp_stacks *s, uint32_t parent, nytp_str name);

/* All calling contexts of a profile, which must outlive s. Returns an nytp_code. */
int nytp_stacks_profile(nytp_stacks *s, const nytp_profile *p, const nytp_calltree_options *options);

/* Frames with less than that share of all count for their parents from now on. Before sorting, for which there is less
 * to do then; nothing may be pushed afterwards. */
void nytp_stacks_prune(nytp_stacks *s, double share);

/* Sums up the totals and links the children in that order; nothing may be pushed afterwards. Returns an nytp_code. */
int nytp_stacks_sort(nytp_stacks *s, enum nytp_stacks_order order);

void nytp_stacks_free(nytp_stacks *s);

#endif
