/* SPDX-License-Identifier: MIT */
/* nodes.c - finds or makes nodes: children are in a list, and those of a crowded parent also in a table. */
#include "record/nodes.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "record/subs.h"

/* A parent with more children than this is crowded. */
#define CROWD 16

_Static_assert(sizeof(nytp_live_node) <= NYTP_POOL_SLOT, "a node fits its slot");
_Static_assert(offsetof(nytp_live_node, site) <= NYTP_POOL_SLOT / 2, "what events touch fits one cache line");

/* ---- crowds: an open-addressing table over (parent, site, sub) ---- */

static uint64_t mix(uint64_t h, const void *p) {
    h = (h ^ (uint64_t)(uintptr_t)p) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

static uint32_t slot_of(const nytp_recorder *r, const nytp_live_node *parent, const nytp_live_place *site,
                        const nytp_live_sub *sub) {
    return (uint32_t)(mix(mix(mix(0, parent), site), sub) >> 16) & r->nodes.crowd_mask;
}

static void insert(nytp_recorder *r, nytp_live_node *n) {
    uint32_t i = slot_of(r, n->parent, n->site, n->sub);
    assert(r->nodes.crowd_n * 2 <= r->nodes.crowd_mask); /* a free slot ends each search */
    while (r->nodes.crowd[i]) i = (i + 1) & r->nodes.crowd_mask;
    r->nodes.crowd[i] = n;
}

/* For more nodes: the table stays at most half full. */
static int make_room(nytp_recorder *r, uint32_t more) {
    nytp_live_node **old = r->nodes.crowd;
    uint32_t old_n = old ? r->nodes.crowd_mask + 1 : 0;
    if (old && (r->nodes.crowd_n + more) * 2 <= r->nodes.crowd_mask) return 1;
    uint32_t n = old ? old_n * 2 : 1024;
    nytp_live_node **table = calloc(n, sizeof *table);
    if (!table) return 0;
    r->nodes.crowd = table;
    r->nodes.crowd_mask = n - 1;
    for (uint32_t i = 0; i < old_n; i++)
        if (old[i]) insert(r, old[i]);
    free(old);
    return 1;
}

static nytp_live_node *in_crowd(const nytp_recorder *r, const nytp_live_node *parent, const nytp_live_place *site,
                                const nytp_live_sub *sub) {
    uint32_t i = slot_of(r, parent, site, sub);
    for (nytp_live_node *n; (n = r->nodes.crowd[i]) != NULL; i = (i + 1) & r->nodes.crowd_mask)
        if (n->parent == parent && n->site == site && n->sub == sub) return n;
    return NULL;
}

/* The number of nodes that parent's next child adds to the table: when parent becomes crowded all earlier children are
 * added, too. */
static uint32_t count_joining(const nytp_live_node *parent) {
    if (parent->children < CROWD) return 0;
    return parent->children == CROWD ? CROWD + 1 : 1;
}

/* n is its parent's newest child, and make_room has been asked. */
static void join_crowd(nytp_recorder *r, nytp_live_node *n, uint32_t joining) {
    r->nodes.crowd_n += joining;
    for (; joining; n = n->next, joining--) insert(r, n);
}

/* ---- children ---- */

/* The first few are not reordered: their order hardly matters, and two used in turns would be moved every time. */
#define NEAR 3

static nytp_live_node *move_to_front(nytp_live_node *parent, nytp_live_node **at) {
    nytp_live_node *n = *at;
    *at = n->next;
    n->next = parent->first_child;
    return parent->first_child = n;
}

nytp_live_node *nytp_nodes_known(const nytp_recorder *r, nytp_live_node *parent, const nytp_live_place *site,
                                 nytp_subkey key) {
    if (parent->children > CROWD) {
        const nytp_live_sub *sub = nytp_subs_find(r, key);
        return sub ? in_crowd(r, parent, site, sub) : NULL;
    }
    int passed = 0;
    for (nytp_live_node **at = &parent->first_child, *n; (n = *at) != NULL; at = &n->next, passed++)
        if (n->site == site && nytp_subkey_eq(n->sub->key, key)) return passed < NEAR ? n : move_to_front(parent, at);
    return NULL;
}

static nytp_live_node *find(const nytp_recorder *r, const nytp_live_node *parent, const nytp_live_place *site,
                            const nytp_live_sub *sub) {
    if (parent->children > CROWD) return in_crowd(r, parent, site, sub);
    nytp_live_node *n = parent->first_child;
    while (n && (n->site != site || n->sub != sub)) n = n->next;
    return n;
}

nytp_live_node *nytp_nodes_next(const nytp_live_node *n) {
    if (n->first_child) return n->first_child;
    while (n && !n->next) n = n->parent;
    return n ? n->next : NULL;
}

static nytp_live_node *make(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site, nytp_live_sub *sub) {
    uint32_t joining = count_joining(parent);
    nytp_live_node *n = !joining || make_room(r, joining) ? nytp_arena_slot(&r->arena, &r->pool) : NULL;
    if (!n) {
        nytp_recorder_fail(r);
        return NULL;
    }
    n->parent = parent;
    n->site = site;
    n->sub = sub;
    n->into = n;
    n->id = ++r->nodes.n;
    n->next = parent->first_child;
    parent->first_child = n;
    if (parent->children <= CROWD) parent->children++;
    assert(!joining || parent->children > CROWD);
    join_crowd(r, n, joining);
    return n;
}

static nytp_live_node *find_or_make(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site,
                                    nytp_live_sub *sub) {
    nytp_live_node *n = find(r, parent, site, sub);
    return n ? n : make(r, parent, site, sub);
}

static nytp_live_node *on_own_path(nytp_live_node *n, const nytp_live_sub *sub) {
    while (n && n->sub != sub) n = n->parent;
    return n;
}

/* The parent for contexts without their path: a child of the root that stands for the caller alone. */
static nytp_live_node *without_path(nytp_recorder *r, nytp_live_node *caller) {
    if (caller == &r->nodes.root || caller->parent == r->nodes.deep) return caller;
    if (!r->nodes.deep) r->nodes.deep = make(r, &r->nodes.root, &r->places.nowhere, &r->nodes.deep_sub);
    if (!r->nodes.deep) return NULL;
    return find_or_make(r, r->nodes.deep, &r->places.nowhere, caller->sub);
}

static nytp_live_node *make_folded(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site, nytp_live_sub *sub,
                                   nytp_live_node *same) {
    nytp_live_node *n = make(r, parent, site, sub);
    if (n) n->into = same->into;
    return n;
}

static nytp_live_node *make_new(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site, nytp_live_sub *sub) {
    int is_full = (int64_t)r->nodes.n >= r->options->maxnodes;
    nytp_live_node *same = is_full || r->front.folds ? on_own_path(parent, sub) : NULL;
    if (is_full) r->output.notices |= NYTP_NOTICE_DEEP;
    if (same) return make_folded(r, parent, site, sub, same);
    if (is_full) parent = without_path(r, parent);
    return parent ? find_or_make(r, parent, site, sub) : NULL;
}

nytp_live_node *nytp_nodes_child(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site, nytp_live_sub *sub) {
    nytp_live_node *n = find(r, parent, site, sub);
    if (!n) n = make_new(r, parent, site, sub);
    if (n) site->last_node = n;
    return n;
}
