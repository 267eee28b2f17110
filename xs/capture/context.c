/* SPDX-License-Identifier: MIT */
/* context.c - calling contexts, summed up and walked by their indexes: parents stand before children. */
#include "capture/context.h"

#include "base/ticks.h"

/* Goes from the last to the first: children are then linked in order, and their sums are complete before the
 * parent's. */
void nytp_context_sum(nytp_context *all, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        all[i].child = all[i].next = 0;
        all[i].inclusive = all[i].exclusive;
    }
    for (uint32_t i = n; i-- > 1;) {
        nytp_context *node = &all[i], *parent = &all[node->parent];

        node->next = parent->child;
        parent->child = i;
        parent->inclusive = nytp_ticks_add(parent->inclusive, node->inclusive);
    }
}

/* Follows links instead of recursing: a tree may be a million calls deep. */
void nytp_context_walk(const nytp_context *all, nytp_context_visit *enter, nytp_context_visit *leave, void *self) {
    uint32_t i = 0;

    enter(self, i);
    for (;;) {
        if (all[i].child) {
            i = all[i].child;
        } else {
            for (; i && !all[i].next; i = all[i].parent) leave(self, i);
            leave(self, i);
            if (!i) return;
            i = all[i].next;
        }
        enter(self, i);
    }
}

void nytp_context_add(const nytp_context *c, nytp_edge *e) {
    int64_t *time = c->depth ? &e->recursive : &e->inclusive;

    e->calls = nytp_ticks_add(e->calls, c->calls);
    e->exclusive = nytp_ticks_add(e->exclusive, c->exclusive);
    *time = nytp_ticks_add(*time, c->inclusive);
    if (!c->is_inner) e->outer = nytp_ticks_add(e->outer, c->inclusive);
    if (c->depth > e->depth) e->depth = c->depth;
}

void nytp_edge_add(nytp_edge *e, const nytp_edge *more) {
    e->calls = nytp_ticks_add(e->calls, more->calls);
    e->exclusive = nytp_ticks_add(e->exclusive, more->exclusive);
    e->inclusive = nytp_ticks_add(e->inclusive, more->inclusive);
    e->recursive = nytp_ticks_add(e->recursive, more->recursive);
    e->outer = nytp_ticks_add(e->outer, more->outer);
    e->spread += more->spread;
    if (more->depth > e->depth) e->depth = more->depth;
}
