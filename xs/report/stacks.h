/* SPDX-License-Identifier: MIT */
/* stacks.h - call paths by names: the data of folded stacks and flame graphs.
 *
 * A call tree (calltree.h) with names as callees: subs of one name are one frame. A value is a number of ticks, calls
 * or samples. */
#ifndef NYTP_REPORT_STACKS_H
#define NYTP_REPORT_STACKS_H

#include "base/table.h"
#include "report/calltree.h"
#include "report/names.h"

typedef struct nytp_stacks {
    nytp_calltree tree;
    nytp_str *names; /* by the callee's number; borrowed, or in the tree's arena */
    uint32_t names_n, names_room;
    nytp_table numbers; /* 1 + index of names; only until sorting */
    const nytp_renamed *renamed; /* of the subs of profiles; NULL: as they are. Given */
    int64_t least;      /* value below which a frame is merged into its caller; 0: none is */
} nytp_stacks; /* all zero is empty */

enum nytp_stacks_order {
    NYTP_STACKS_HEAVIEST, /* by total, then name: the order of flame graphs */
    NYTP_STACKS_RETURNS   /* by the first return of a sub of that name, as far as a tree shows it */
};

/* The frame of that name below parent, made if it is new; the name must live as long as s. UINT32_MAX when memory is
 * short. The first call makes the root too. */
uint32_t nytp_stacks_push(nytp_stacks *s, uint32_t parent, nytp_str name);

/* The calling contexts of a profile, which must outlive s. With a selection frames that took less than it shows are
 * merged into their callers when the stacks are sorted. Returns an nytp_code. */
int nytp_stacks_profile(nytp_stacks *s, const nytp_profile *p, const nytp_calltree_options *options);

/* Merges frames with less than that share of the whole into their parents. To be called before sorting, which it speeds
 * up; nothing may be pushed afterwards. */
void nytp_stacks_prune(nytp_stacks *s, double share);

/* Sums up the totals and links the children in that order; nothing may be pushed afterwards. Returns an nytp_code. */
int nytp_stacks_sort(nytp_stacks *s, enum nytp_stacks_order order);

/* The names down to a frame, with semicolons between; it is made as a sorted tree is walked, parents first. */
typedef struct nytp_stacks_path {
    nytp_buf text;
    size_t ends[NYTP_CALLTREE_DEEPEST + 1]; /* of the text, by depth */
} nytp_stacks_path; /* all zero is empty; the owner frees its text */

void nytp_stacks_path_to(nytp_stacks_path *path, const nytp_stacks *s, uint32_t frame);

void nytp_stacks_free(nytp_stacks *s);

#endif
