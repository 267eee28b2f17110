/* SPDX-License-Identifier: MIT */
/* stacks.h - call paths as a tree of frames: what folded stacks and flame graphs are made of.
 *
 * A path is known by the names along it, so calls of one sub from several lines are one frame. Frame 0 is no frame but
 * the root of all; a parent comes before its children. A value is whatever is counted: ticks, calls, samples. */
#ifndef NYTP_REPORT_STACKS_H
#define NYTP_REPORT_STACKS_H

#include "base/map.h"
#include "model/profile.h"

/* Frames below this depth count for the one they would begin in: a path of ten thousand calls of one sub is as good as
 * one of a thousand, and all paths of a deep recursion together would fill a disk. */
#define NYTP_STACKS_DEEPEST 1000

typedef struct nytp_frame {
    nytp_str name;             /* borrowed from whoever pushed it, or in the arena */
    uint32_t parent, child, next; /* first child and next sibling; 0 is none. Valid after sorting */
    uint32_t depth;            /* of a frame below the root: 1 */
    uint32_t is_seen;          /* 1: something ended here, not only below */
    uint32_t is_cut;           /* 1: counts for its parent since nytp_stacks_prune */
    int64_t self, total;       /* total: with all frames below; valid after sorting */
    int64_t delta, delta_total; /* what a second measurement had more */
} nytp_frame;

typedef struct nytp_stacks {
    nytp_arena arena;
    nytp_frame *at;
    uint32_t n, room;
    nytp_map frames; /* hash of parent and name to index */
} nytp_stacks; /* all zero is an empty one */

enum nytp_stacks_order {
    NYTP_STACKS_HEAVIEST, /* by total, then name: drawn in this order time and width agree */
    NYTP_STACKS_RETURNS   /* by when a sub of that name first returned, as far as a tree tells */
};

typedef struct nytp_stacks_options {
    int32_t calls;     /* 1: values are calls, not ticks */
    uint32_t metric;   /* else those of this one of the profile's metrics, counted from 1; 0: ticks */
    int32_t subs_only; /* 1: paths begin with the first sub, without main::RUNTIME and its like */
} nytp_stacks_options;

/* The frame of that name below parent, made if it is new; the name must live as long as s. UINT32_MAX when memory is
 * short. The first call makes the root too. */
uint32_t nytp_stacks_push(nytp_stacks *s, uint32_t parent, nytp_str name);

/* All calling contexts of a profile, which must outlive s. Returns an nytp_code. */
int nytp_stacks_profile(nytp_stacks *s, const nytp_profile *p, const nytp_stacks_options *options);

/* Frames with less than that share of all count for their parents from now on. Before sorting, for which there is less
 * to do then; nothing may be pushed afterwards. */
void nytp_stacks_prune(nytp_stacks *s, double share);

/* Sums up the totals and links the children in that order; nothing may be pushed afterwards. Returns an nytp_code. */
int nytp_stacks_sort(nytp_stacks *s, enum nytp_stacks_order order);

/* The frame after i in the order of reading, parents before children; 0 behind the last, and the first one after 0. */
uint32_t nytp_stacks_next(const nytp_stacks *s, uint32_t i);

void nytp_stacks_free(nytp_stacks *s);

#endif
