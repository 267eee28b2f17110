/* SPDX-License-Identifier: MIT */
/* paths.c - a tree of calls from returns, in which callees come before their caller.
 *
 * Returns hang under an unnamed path until their caller returns and names it; if the caller's path exists already, the
 * two are joined. So memory grows with paths, not with calls. */
#include "model/paths.h"

#include <stdlib.h>
#include <string.h>

static uint64_t key_of(uint32_t parent, uint32_t sub) {
    return (uint64_t)parent << 32 | sub;
}

static uint32_t fail(nytp_paths *t) {
    t->failed = 1;
    return 0;
}

/* A path without parent; 0 when memory is short. */
static uint32_t make_path(nytp_paths *t) {
    uint32_t path = t->spare;
    if (path) {
        t->spare = t->at[path].next;
    } else {
        if (t->n + 1 >= t->room) {
            uint32_t room = t->room ? t->room * 2 : 256;
            nytp_path *more = room > t->room ? realloc(t->at, room * sizeof *more) : NULL;
            if (!more) return fail(t);
            t->at = more;
            t->room = room;
        }
        path = ++t->n;
    }
    memset(&t->at[path], 0, sizeof *t->at);
    return path;
}

static void drop_path(nytp_paths *t, uint32_t path) {
    t->at[path].next = t->spare;
    t->spare = path;
}

/* Makes path a child of parent, or returns the child that has its sub already. */
static uint32_t link_child(nytp_paths *t, uint32_t parent, uint32_t path) {
    uint32_t *slot = nytp_map_at(&t->children, key_of(parent, t->at[path].sub)), same = slot ? *slot : 0;
    if (!slot) return fail(t);
    if (same) return same;
    *slot = path;
    t->at[path].parent = parent;
    t->at[path].next = t->at[parent].child;
    t->at[parent].child = path;
    return 0;
}

/* Keys of removed paths stay in the map as 0; paths are reused, so their number is bounded. */
static void unlink_children(nytp_paths *t, uint32_t parent) {
    for (uint32_t c = t->at[parent].child; c; c = t->at[c].next)
        *nytp_map_at(&t->children, key_of(parent, t->at[c].sub)) = 0; /* the key exists, so this cannot fail */
}

/* Adds `from` and its descendants to `to`, and frees the paths that were joined. Paths still to be joined are in a list
 * by `next`, with their target in `parent`: a tree may be too deep for recursion. */
static void join(nytp_paths *t, uint32_t from, uint32_t to) {
    t->at[from].parent = to;
    t->at[from].next = 0;
    for (uint32_t waiting = from; waiting && !t->failed;) {
        uint32_t path = waiting, goal = t->at[path].parent;
        waiting = t->at[path].next;
        t->at[goal].calls += t->at[path].calls;
        t->at[goal].exclusive += t->at[path].exclusive;
        unlink_children(t, path);
        for (uint32_t c = t->at[path].child, next; c && !t->failed; c = next) {
            next = t->at[c].next;
            uint32_t same = link_child(t, goal, c);
            if (!same) continue;
            t->at[c].parent = same;
            t->at[c].next = waiting;
            waiting = c;
        }
        drop_path(t, path);
    }
}

static int could_make_room(nytp_paths *t, uint32_t depth) {
    if (depth + 1 < t->depths) return 1;
    uint32_t depths = (depth + 2) * 2;
    uint32_t *more = realloc(t->open, depths * sizeof *more);
    if (!more) return (int)fail(t);
    memset(more + t->depths, 0, (depths - t->depths) * sizeof *more);
    t->open = more;
    t->depths = depths;
    return 1;
}

/* The path of the returning call is the open one at its depth, with the children collected there, or a new one. */
void nytp_paths_return(nytp_paths *t, uint32_t depth, uint32_t sub, double exclusive) {
    if (depth < 1) depth = 1;
    if (depth > NYTP_PATHS_DEEPEST) depth = NYTP_PATHS_DEEPEST;
    if (t->failed || !could_make_room(t, depth)) return;
    if (!t->open[depth]) t->open[depth] = make_path(t);
    uint32_t caller = t->open[depth], path = t->failed ? 0 : nytp_map_get(&t->children, key_of(caller, sub));
    if (path) {
        if (t->open[depth + 1]) join(t, t->open[depth + 1], path);
    } else {
        path = t->open[depth + 1] ? t->open[depth + 1] : make_path(t);
        if (!path) return;
        t->at[path].sub = sub;
        link_child(t, caller, path);
    }
    t->open[depth + 1] = 0;
    t->at[path].calls++;
    t->at[path].exclusive += exclusive;
}

void nytp_paths_settle(nytp_paths *t) {
    for (uint32_t depth = 2; depth < t->depths; depth++) {
        if (!t->open[depth]) continue;
        if (t->lost) join(t, t->open[depth], t->lost);
        else t->lost = t->open[depth];
        t->open[depth] = 0;
    }
}

uint32_t nytp_paths_top(const nytp_paths *t) {
    return t->depths > 1 ? t->open[1] : 0;
}

void nytp_paths_free(nytp_paths *t) {
    free(t->at);
    free(t->open);
    nytp_map_free(&t->children);
}
