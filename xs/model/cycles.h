/* SPDX-License-Identifier: MIT */
/* cycles.h - which subs call which, and which of them call each other in a circle.
 *
 * Subs are in one group if each calls the other, directly or through others: Tarjan's strongly connected components.
 * Most groups are single subs; a group of several is a cycle. The time of a group is its subs' own and that of its
 * children, the calls that leave it. No call path comes back to a group that it has left, so these times are exact, and
 * so is the time of the calls that enter the group. How much of the latter is the group's own, and how much its
 * children's, is known exactly for a sub without recursion; other calls share both in proportion to their time. */
#ifndef NYTP_MODEL_CYCLES_H
#define NYTP_MODEL_CYCLES_H

#include "model/profile.h"

typedef struct nytp_calls { /* all calls that one sub makes to another, or to itself */
    uint32_t caller, callee;
    int64_t calls;
    int64_t self, children; /* ticks of the callee's group that these calls take; 0 within a group */
} nytp_calls;

typedef struct nytp_group {
    nytp_slice subs;       /* of members */
    uint32_t cycle;        /* its number among the groups of several subs, most time first, from 1; 0: it is none */
    int64_t entered, inner; /* calls from other groups, and within this one */
    int64_t self, children; /* ticks */
} nytp_group;

typedef struct nytp_cycles {
    nytp_arena arena;
    nytp_calls *links;    /* by caller, then callee; without phases of the program as callees */
    uint32_t *by_callee; /* indexes of links */
    nytp_slice *callees; /* per sub: of links */
    nytp_slice *callers; /* per sub: of by_callee */
    int64_t *children;   /* per sub: ticks of its calls that leave its group */
    uint32_t *group;     /* per sub */
    nytp_group *groups;
    uint32_t *members;   /* subs by group */
    uint32_t links_n, groups_n;
} nytp_cycles; /* all zero is empty */

/* Fills an empty one. Returns an nytp_code; to be freed in any case. */
enum nytp_code nytp_cycles_find(nytp_cycles *c, const nytp_profile *p);

void nytp_cycles_free(nytp_cycles *c);

#endif
