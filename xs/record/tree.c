/* tree.c - finds or makes nodes: an open-addressing table over (parent, site, sub). */
#include "record/tree.h"

#include <stdlib.h>

static uint64_t mix(uint64_t h, const void *p) {
    h = (h ^ (uint64_t)(uintptr_t)p) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

static uint32_t slot_of(const nytp_recorder *r, const nytp_node *parent, const nytp_place *site, const nytp_sub *sub) {
    return (uint32_t)(mix(mix(mix(0, parent), site), sub) >> 16) & r->node_mask;
}

/* What was found lately, one node for each hash of (parent, site, body). Half a megabyte of addresses, of which a small
 * program touches little. */
#define RECENT (1u << 16)

static nytp_node **recent(const nytp_recorder *r, const nytp_node *parent, const nytp_place *site, const void *body) {
    return r->recent_nodes + ((mix(mix(mix(0, parent), site), body) >> 16) & (RECENT - 1));
}

static void insert(nytp_recorder *r, nytp_node *n) {
    uint32_t i = slot_of(r, n->parent, n->site, n->sub);
    while (r->node_table[i]) i = (i + 1) & r->node_mask;
    r->node_table[i] = n;
}

/* Keeps the table at most half full. */
static int make_room(nytp_recorder *r) {
    nytp_node **old = r->node_table;
    uint32_t old_n = old ? r->node_mask + 1 : 0;
    if (old && (r->node_n + 1) * 2 <= r->node_mask) return 1;
    uint32_t n = old ? old_n * 2 : 4096;
    nytp_node **table = calloc(n, sizeof *table);
    if (!table) return 0;
    r->node_table = table;
    r->node_mask = n - 1;
    if (!r->recent_nodes) r->recent_nodes = calloc(RECENT, sizeof *r->recent_nodes);
    for (uint32_t i = 0; i < old_n; i++)
        if (old[i]) insert(r, old[i]);
    free(old);
    return 1;
}

static nytp_node *find(const nytp_recorder *r, const nytp_node *parent, const nytp_place *site, const nytp_sub *sub) {
    if (!r->node_table) return NULL;
    uint32_t i = slot_of(r, parent, site, sub);
    for (nytp_node *n; (n = r->node_table[i]) != NULL; i = (i + 1) & r->node_mask)
        if (n->parent == parent && n->site == site && n->sub == sub) return n;
    return NULL;
}

static nytp_node *make(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub) {
    nytp_node *n = make_room(r) ? nytp_arena_get(&r->arena, sizeof *n) : NULL;
    if (!n) {
        nytp_recorder_fail(r);
        return NULL;
    }
    n->parent = parent;
    n->site = site;
    n->sub = sub;
    n->into = n;
    n->id = ++r->node_n;
    insert(r, n);
    return n;
}

static nytp_node *find_or_make(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub) {
    nytp_node *n = find(r, parent, site, sub);
    return n ? n : make(r, parent, site, sub);
}

static nytp_node *on_own_path(nytp_node *n, const nytp_sub *sub) {
    while (n && n->sub != sub) n = n->parent;
    return n;
}

/* Where contexts go whose path is given up: a child of the root that stands for the caller alone. */
static nytp_node *without_path(nytp_recorder *r, nytp_node *caller) {
    if (caller == &r->root || caller->parent == r->deep) return caller;
    if (!r->deep && !(r->deep = make(r, &r->root, &r->nowhere, &r->deep_sub))) return NULL;
    return find_or_make(r, r->deep, &r->nowhere, caller->sub);
}

static nytp_node *make_folded(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub, nytp_node *same) {
    nytp_node *n = make(r, parent, site, sub);
    if (n) n->into = same->into;
    return n;
}

static nytp_node *make_new(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub) {
    int is_full = (int64_t)r->node_n >= r->options->maxnodes;
    nytp_node *same = is_full || r->front.folds ? on_own_path(parent, sub) : NULL;
    if (is_full) r->notices |= NYTP_NOTICE_DEEP;
    if (same) return make_folded(r, parent, site, sub, same);
    if (is_full) parent = without_path(r, parent);
    return parent ? find_or_make(r, parent, site, sub) : NULL;
}

nytp_node *nytp_tree_child(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub) {
    nytp_node *n = find(r, parent, site, sub);
    if (!n) n = make_new(r, parent, site, sub);
    if (!n) return NULL;
    site->last_node = n;
    if (r->recent_nodes) *recent(r, parent, site, sub->key.body) = n;
    return n;
}

nytp_node *nytp_tree_recent(const nytp_recorder *r, const nytp_node *parent, const nytp_place *site, nytp_subkey key) {
    nytp_node *n = r->recent_nodes ? *recent(r, parent, site, key.body) : NULL;
    return n && n->parent == parent && n->site == site && nytp_subkey_eq(n->sub->key, key) ? n : NULL;
}
