/* SPDX-License-Identifier: MIT */
/* lanes.c - the processes of a build in lanes. */
#include "model/lanes.h"

#include <stdlib.h>

#include "base/grow.h"

#define NONE NYTP_BUILD_NONE

typedef struct lanes {
    const nytp_build *b;
    uint32_t *lane_of; /* by process */
    uint32_t *outer;   /* by process: the one around it in its lane */
    uint32_t *inner;   /* by lane: the innermost one that runs */
    uint32_t n, room;
} lanes;

/* The innermost process that runs in a lane at that time; NONE: it is free. */
static uint32_t inner_at(lanes *l, uint32_t lane, int64_t time) {
    if (!l->inner) return NONE;
    uint32_t *inner = &l->inner[lane];
    while (*inner != NONE && l->b->processes[*inner].ended <= time) *inner = l->outer[*inner];
    return *inner;
}

static int fits_above(lanes *l, const nytp_build_process *p) {
    if (p->parent == NONE || p->ended > l->b->processes[p->parent].ended) return 0;
    return inner_at(l, l->lane_of[p->parent], p->began) == p->parent;
}

/* The first lane that is free, or a new one; NONE when memory is short. */
static uint32_t free_lane(lanes *l, int64_t time) {
    uint32_t i = 0;
    while (i < l->n && inner_at(l, i, time) != NONE) i++;
    if (i < l->n) return i;
    uint32_t *new = nytp_grow_owned(&l->inner, l->n, &l->room, sizeof *new);
    if (!new) return NONE;
    *new = NONE;
    return l->n++;
}

uint32_t *nytp_lanes_make(const nytp_build *b, uint32_t *lanes_n) {
    lanes l = {.b = b, .lane_of = calloc(b->n + (size_t)1, sizeof *l.lane_of),
               .outer = calloc(b->n + (size_t)1, sizeof *l.outer)};
    int failed = !l.lane_of || !l.outer;
    for (uint32_t i = 0; i < b->n && !failed; i++) {
        const nytp_build_process *p = &b->processes[i];
        uint32_t lane = fits_above(&l, p) ? l.lane_of[p->parent] : free_lane(&l, p->began);
        failed = lane == NONE;
        if (failed) break;
        l.lane_of[i] = lane;
        l.outer[i] = l.inner[lane];
        l.inner[lane] = i;
    }
    if (failed) free(l.lane_of), l.lane_of = NULL;
    free(l.outer);
    free(l.inner);
    *lanes_n = l.n;
    return l.lane_of;
}
