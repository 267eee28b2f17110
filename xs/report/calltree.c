/* SPDX-License-Identifier: MIT */
/* calltree.c - the tree of call paths, in an array and without recursion. */
#include "report/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/metrics.h"

/* ---- making nodes ---- */

/* UINT32_MAX when memory is short, as everywhere here. */
static uint32_t append(nytp_calltree *t, uint32_t parent, uint32_t callee) {
    nytp_calltree_node *node = t->n < UINT32_MAX ? nytp_grow(&t->arena, &t->at, t->n, &t->room, sizeof *node) : NULL;
    if (!node) return UINT32_MAX;
    *node = (nytp_calltree_node){.parent = parent, .callee = callee};
    if (t->n) node->depth = (uint16_t)(t->at[parent].depth + 1);
    return t->n++;
}

uint32_t nytp_calltree_child(nytp_calltree *t, uint32_t parent, uint32_t callee) {
    if (!t->n && append(t, 0, NYTP_ROOT) == UINT32_MAX) return UINT32_MAX;
    if (t->at[parent].depth >= NYTP_CALLTREE_DEEPEST) return parent;
    uint32_t *found = nytp_map_at(&t->children, (uint64_t)parent << 32 | callee);
    if (!found) return UINT32_MAX;
    if (!*found) {
        uint32_t made = append(t, parent, callee);
        if (made == UINT32_MAX) return made;
        *found = made;
    }
    return *found;
}

/* A node says where it was called as long as all its calls are from one line. */
static void add_site(nytp_calltree_node *node, const nytp_node *from, int is_first) {
    if (is_first) {
        node->file = from->file;
        node->line = from->line == NYTP_LINE_UNKNOWN ? 0 : from->line;
    } else if (node->file != from->file || node->line != from->line) node->line = NYTP_CALLTREE_LINES;
}

static int64_t value_of(const nytp_profile *p, const nytp_node *from, const nytp_calltree_options *options) {
    if (options->calls) return from->calls;
    return options->metric ? nytp_metrics_get(p, options->metric - 1, from->own) : from->exclusive;
}

static void add_context(nytp_calltree_node *node, const nytp_profile *p, const nytp_node *from,
                        const nytp_calltree_options *options, int is_first) {
    int64_t value = value_of(p, from, options);
    add_site(node, from, is_first);
    node->calls = nytp_ticks_add(node->calls, from->calls);
    node->self = nytp_ticks_add(node->self, value);
    node->spread += from->spread;
    if (value || (from->calls && !options->metric)) node->is_seen = 1;
}

/* A phase of the program, in which perl itself calls subs, begins a path of its own, or is left out. */
static uint32_t node_of(nytp_calltree *t, const nytp_profile *p, const nytp_node *from, uint32_t parent,
                        const uint32_t *callees, int subs_only) {
    int is_phase = (p->subs[from->sub].flags & NYTP_SUB_PHASE) != 0;
    if (is_phase && subs_only) return 0;
    return nytp_calltree_child(t, is_phase ? 0 : parent, callees ? callees[from->sub] : from->sub);
}

int nytp_calltree_profile(nytp_calltree *t, const nytp_profile *p, const uint32_t *callees,
                          const nytp_calltree_options *options) {
    uint32_t *to = malloc((size_t)p->nodes_n * sizeof *to + 1); /* per context its node */
    int code = to && (t->n || append(t, 0, NYTP_ROOT) == 0) ? NYTP_OK : NYTP_NOMEM;
    for (uint32_t i = 0; i < p->nodes_n && !code; i++) {
        const nytp_node *from = &p->nodes[i];
        uint32_t before = t->n;
        to[i] = node_of(t, p, from, i ? to[from->parent] : 0, callees, options->subs_only);
        if (to[i] == UINT32_MAX) code = NYTP_NOMEM;
        else add_context(&t->at[to[i]], p, from, options, t->n > before);
    }
    free(to);
    return code;
}

/* ---- adding up ---- */

/* Most trees are of one measurement and have no column of deltas. */
int nytp_calltree_differ(nytp_calltree *t, uint32_t i, int64_t delta) {
    if (i >= t->deltas_n) {
        size_t old = t->deltas_n * sizeof *t->deltas, size = t->room * sizeof *t->deltas;
        int64_t *bigger = nytp_arena_more(&t->arena, t->deltas, old, size);
        if (!bigger) return NYTP_NOMEM;
        memset((char *)bigger + old, 0, size - old);
        t->deltas = bigger;
        t->deltas_n = t->room;
    }
    t->deltas[i] = nytp_ticks_add(t->deltas[i], delta);
    return NYTP_OK;
}

int64_t nytp_calltree_delta(const nytp_calltree *t, uint32_t i) { return i < t->deltas_n ? t->deltas[i] : 0; }

/* Children come behind their parents, so one pass from the end is enough. */
void nytp_calltree_sum(nytp_calltree *t) {
    if (t->is_summed) return;
    for (uint32_t i = 0; i < t->n; i++) t->at[i].total = t->at[i].self;
    for (uint32_t i = t->n; i-- > 1;) {
        const nytp_calltree_node *node = &t->at[i];
        nytp_calltree_node *parent = &t->at[node->parent];
        parent->total = nytp_ticks_add(parent->total, node->total);
        parent->spread += node->spread;
        if (i >= t->deltas_n) continue;
        t->deltas[node->parent] = nytp_ticks_add(t->deltas[node->parent], t->deltas[i]);
    }
    t->is_summed = 1;
}

/* A node's time below zero, from overcorrection, is subtracted from its caller: so the whole is unchanged. */
static void pass_debts(nytp_calltree *t) {
    for (uint32_t i = t->n; i-- > 0;) {
        nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
        if (node->calls < 0) node->calls = 0;
        if (node->self >= 0) continue;
        if (i) parent->self = nytp_ticks_add(parent->self, node->self);
        node->self = 0;
    }
}

/* Before the sum a node's spread is that of its own time. */
void nytp_calltree_settle(nytp_calltree *t) {
    for (uint32_t i = 0; i < t->n; i++)
        if (nytp_profile_told(t->at[i].self, t->at[i].spread) < 0) t->at[i].untold |= NYTP_CALLTREE_SELF;
    pass_debts(t);
    nytp_calltree_sum(t);
    for (uint32_t i = 0; i < t->n; i++)
        if (nytp_profile_told(t->at[i].total, t->at[i].spread) < 0) t->at[i].untold |= NYTP_CALLTREE_TOTAL;
}

static int stays(const nytp_calltree_node *node, int64_t least) { return node->total >= least || node->is_needed; }

/* A parent with a total below least has lost all its descendants. */
void nytp_calltree_prune(nytp_calltree *t, int64_t least) {
    for (uint32_t i = t->n; i-- > 1;) {
        nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
        if (stays(node, least)) continue;
        node->is_cut = 1;
        if (stays(parent, least)) parent->cut = nytp_ticks_add(parent->cut, node->total);
    }
}

/* ---- recursion ---- */

/* The node after i; leaves i and each ancestor without further children. */
static uint32_t leave(const nytp_calltree *t, uint32_t *on_path, uint32_t i) {
    for (; i; i = t->at[i].parent) {
        on_path[t->at[i].callee]--;
        if (t->at[i].next) return t->at[i].next;
    }
    return 0;
}

/* One walk through the tree. */
int nytp_calltree_nest(nytp_calltree *t, uint32_t callees) {
    uint32_t *on_path = calloc(callees + (size_t)1, sizeof *on_path); /* nodes of each callee from node 0 to i */
    if (!on_path) return NYTP_NOMEM;
    nytp_calltree_link_made(t);
    for (uint32_t i = t->n ? t->at[0].child : 0; i;) {
        nytp_calltree_node *node = &t->at[i];
        node->is_nested = on_path[node->callee]++ != 0;
        i = node->child ? node->child : leave(t, on_path, i);
    }
    free(on_path);
    return NYTP_OK;
}

/* ---- order ---- */

typedef struct rank {
    int64_t total;
    uint32_t parent, ordinal, node;
} rank;

/* By parent first, as nodes are nearly in that order already. */
static int last_first(const void *a, const void *b) {
    const rank *x = a, *y = b;
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    if (x->total != y->total) return x->total < y->total ? -1 : 1;
    if (x->ordinal != y->ordinal) return x->ordinal > y->ordinal ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static void unlink_all(nytp_calltree *t) {
    nytp_map_free(&t->children);
    for (uint32_t i = 0; i < t->n; i++) t->at[i].child = t->at[i].next = 0;
    t->kept = t->n ? 1 : 0;
}

/* Links a node before its siblings linked so far. */
static void link_node(nytp_calltree *t, uint32_t i) {
    nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
    node->next = parent->child;
    parent->child = i;
    t->kept++;
}

void nytp_calltree_link_made(nytp_calltree *t) {
    unlink_all(t);
    for (uint32_t i = t->n; i-- > 1;)
        if (!t->at[i].is_cut) link_node(t, i);
}

static uint32_t rank_all(const nytp_calltree *t, rank *ranks, const uint32_t *ordinals, int by_total) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < t->n; i++) {
        const nytp_calltree_node *node = &t->at[i];
        if (node->is_cut) continue;
        ranks[n++] = (rank){by_total ? node->total : 0, node->parent,
                            ordinals ? ordinals[node->callee] : node->callee, i};
    }
    return n;
}

int nytp_calltree_link(nytp_calltree *t, const uint32_t *ordinals, int by_total) {
    unlink_all(t);
    if (t->n < 2) return NYTP_OK;
    rank *ranks = malloc((t->n - 1) * sizeof *ranks); /* pages that are not used do not exist */
    if (!ranks) return NYTP_NOMEM;
    uint32_t n = rank_all(t, ranks, ordinals, by_total);
    qsort(ranks, n, sizeof *ranks, last_first);
    for (uint32_t i = 0; i < n; i++) link_node(t, ranks[i].node);
    free(ranks);
    return NYTP_OK;
}

uint32_t nytp_calltree_next(const nytp_calltree *t, uint32_t i) {
    if (!t->n) return 0;
    if (t->at[i].child) return t->at[i].child;
    while (i && !t->at[i].next) i = t->at[i].parent;
    return t->at[i].next;
}

void nytp_calltree_free(nytp_calltree *t) {
    nytp_map_free(&t->children);
    nytp_arena_free(&t->arena);
    *t = (nytp_calltree){0};
}
