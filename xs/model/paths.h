/* SPDX-License-Identifier: MIT */
/* paths.h - the tree of calls behind format 5's returns: each return has a depth and comes after those of its callees.
 * Private to load. */
#ifndef NYTP_MODEL_PATHS_H
#define NYTP_MODEL_PATHS_H

#include "base/map.h"

#define NYTP_PATHS_DEEPEST (1u << 20) /* deeper calls count as made there */

typedef struct nytp_path { /* calls of one sub on one path; 0 is none in all fields but the first */
    uint32_t sub;
    uint32_t parent;      /* path of the caller */
    uint32_t child, next; /* first child and next sibling */
    int64_t calls;
    double exclusive;     /* ticks of the file */
} nytp_path;

typedef struct nytp_paths {
    nytp_path *at;        /* 0 is not used */
    uint32_t n, room;
    uint32_t spare;       /* list of free paths, by next */
    nytp_map children;    /* (parent, sub) to path */
    uint32_t *open;       /* open[d]: path still running at depth d - 1, parent of the calls returned at d; 0: none */
    uint32_t depths;
    uint32_t lost;        /* its children are calls whose callers never returned */
    int32_t failed;       /* 1: memory is short; all calls do nothing then */
} nytp_paths; /* all zero is empty */

/* A call returns from depth 1 (made outside of any sub) or deeper. */
void nytp_paths_return(nytp_paths *t, uint32_t depth, uint32_t sub, double exclusive);

/* A process begins or the file ends: open calls will never return. */
void nytp_paths_settle(nytp_paths *t);

/* The path whose children begin outside of any sub; 0 if there are none. */
uint32_t nytp_paths_top(const nytp_paths *t);

void nytp_paths_free(nytp_paths *t);

#endif
