/* SPDX-License-Identifier: MIT */
/* calltree.c - calling contexts merged by sub, sorted, and cut down to what can be seen. */
#include "pages/calltree.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/ticks.h"
#include "model/grow.h"

static uint32_t append(nytp_calltree *t, uint32_t parent, uint32_t sub) {
    nytp_calltree_node *node = t->n < UINT32_MAX ? nytp_grow(&t->arena, &t->at, t->n, &t->room, sizeof *node) : NULL;
    if (!node) return UINT32_MAX;
    *node = (nytp_calltree_node){.parent = parent, .sub = sub};
    if (t->n) node->depth = (uint16_t)(t->at[parent].depth + 1);
    return t->n++;
}

/* The child of parent that stands for sub, made if it is new; UINT32_MAX when memory is short. */
static uint32_t child_of(nytp_calltree *t, nytp_map *children, uint32_t parent, uint32_t sub) {
    if (t->at[parent].depth >= NYTP_CALLTREE_DEEPEST) return parent;
    uint32_t *found = nytp_map_at(children, (uint64_t)parent << 32 | sub);
    if (!found) return UINT32_MAX;
    if (!*found) *found = append(t, parent, sub);
    return *found;
}

static void add_site(nytp_calltree_node *node, const nytp_node *from, int is_first) {
    if (is_first) {
        node->file = from->file;
        node->line = from->line == NYTP_LINE_UNKNOWN ? 0 : from->line;
    } else if (node->file != from->file || node->line != from->line) node->line = NYTP_CALLTREE_LINES;
}

static int add_all(nytp_calltree *t, const nytp_profile *p, nytp_map *children, uint32_t *to) {
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_node *from = &p->nodes[i];
        uint32_t parent = !i || p->subs[from->sub].flags & NYTP_SUB_PHASE ? 0 : to[from->parent];
        uint32_t before = t->n;
        to[i] = child_of(t, children, parent, from->sub);
        if (to[i] == UINT32_MAX) return NYTP_NOMEM;
        nytp_calltree_node *node = &t->at[to[i]];
        add_site(node, from, t->n > before);
        node->calls = nytp_ticks_add(node->calls, from->calls);
        node->self = nytp_ticks_add(node->self, from->exclusive);
        node->spread += from->spread;
    }
    return NYTP_OK;
}

/* As long as a node has its own spread only. */
static void mark_untold(nytp_calltree *t) {
    for (uint32_t i = 0; i < t->n; i++)
        if (nytp_profile_told(t->at[i].self, t->at[i].spread) < 0) t->at[i].untold |= NYTP_CALLTREE_SELF;
}

/* What a correction has taken too much of a node is its caller's to lack: so the whole stays what it is. */
static void sum(nytp_calltree *t) {
    for (uint32_t i = t->n; i-- > 0;) {
        nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
        if (node->calls < 0) node->calls = 0;
        if (node->self < 0 && i) parent->self = nytp_ticks_add(parent->self, node->self);
        if (node->self < 0) node->self = 0;
        node->total = nytp_ticks_add(node->total, node->self);
        if (nytp_profile_told(node->total, node->spread) < 0) node->untold |= NYTP_CALLTREE_TOTAL;
        if (i) parent->total = nytp_ticks_add(parent->total, node->total);
        if (i) parent->spread += node->spread;
    }
}

/* ---- recursion ---- */

static void link_all(nytp_calltree *t) {
    for (uint32_t i = t->n; i-- > 1;) {
        nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
        node->next = parent->child;
        parent->child = i;
    }
}

/* The node after i, which is left, and so is each ancestor that has no more children. */
static uint32_t leave(const nytp_calltree *t, uint32_t *on_path, uint32_t i) {
    for (; i; i = t->at[i].parent) {
        on_path[t->at[i].sub]--;
        if (t->at[i].next) return t->at[i].next;
    }
    return 0;
}

/* One walk through the tree. Its links are undone: only those that are not cut stay. */
static int mark_nested(nytp_calltree *t, uint32_t subs) {
    uint32_t *on_path = calloc(subs + (size_t)1, sizeof *on_path); /* nodes of each sub from node 0 to i */
    if (!on_path) return NYTP_NOMEM;
    link_all(t);
    for (uint32_t i = t->at[0].child; i;) {
        nytp_calltree_node *node = &t->at[i];
        node->is_nested = on_path[node->sub]++ != 0;
        i = node->child ? node->child : leave(t, on_path, i);
    }
    for (uint32_t i = 0; i < t->n; i++) t->at[i].child = t->at[i].next = 0;
    free(on_path);
    return NYTP_OK;
}

/* ---- cutting ---- */

typedef struct rank {
    int64_t total;
    uint32_t node, sub;
} rank;

static int least_first(const void *a, const void *b) {
    const rank *x = a, *y = b;
    if (x->total != y->total) return x->total < y->total ? -1 : 1;
    return x->sub > y->sub ? -1 : x->sub < y->sub ? 1 : x->node < y->node ? -1 : x->node > y->node;
}

/* A node that is cut off is still one of its sub's calls. */
static void add_cut(nytp_calltree *t, const nytp_calltree_node *node) {
    nytp_calltree_cut *cut = &t->cut[node->sub];
    cut->calls = nytp_ticks_add(cut->calls, node->calls);
    cut->self = nytp_ticks_add(cut->self, node->self);
    if (node->calls && !node->is_nested) cut->outermost = nytp_ticks_add(cut->outermost, node->calls);
}

/* Children are put in front of those that are linked already, so the most time comes first. A parent has at least the
 * time of its child, so it is never cut when the child is not. */
static int link_children(nytp_calltree *t, int64_t least) {
    rank *ranks = malloc(t->n * sizeof *ranks);
    if (!ranks) return NYTP_NOMEM;
    for (uint32_t i = 0; i < t->n; i++) ranks[i] = (rank){t->at[i].total, i, t->at[i].sub};
    qsort(ranks, t->n, sizeof *ranks, least_first);
    t->kept = 1;
    for (uint32_t i = 0; i < t->n; i++) {
        nytp_calltree_node *node = &t->at[ranks[i].node], *parent = &t->at[node->parent];
        if (node == t->at) continue;
        if (node->total < least) {
            add_cut(t, node);
            if (parent->total >= least) parent->cut = nytp_ticks_add(parent->cut, node->total);
            continue;
        }
        node->next = parent->child;
        parent->child = ranks[i].node;
        t->kept++;
    }
    free(ranks);
    return NYTP_OK;
}

int nytp_calltree_build(nytp_calltree *t, const nytp_profile *p, double share) {
    uint32_t *to = malloc((size_t)p->nodes_n * sizeof *to + 1);
    nytp_map children = {0};
    int code = to && append(t, 0, NYTP_ROOT) == 0 ? add_all(t, p, &children, to) : NYTP_NOMEM;
    nytp_map_free(&children);
    free(to);
    t->cut = nytp_arena_get(&t->arena, (p->subs_n + 1u) * sizeof *t->cut);
    if (code || !t->cut || mark_nested(t, p->subs_n)) return NYTP_NOMEM;
    mark_untold(t);
    sum(t);
    int64_t least = nytp_ticks_whole((double)t->at[0].total * share);
    return link_children(t, least > 0 ? least : 1);
}

uint32_t nytp_calltree_next(const nytp_calltree *t, uint32_t i) {
    if (t->at[i].child) return t->at[i].child;
    while (i && !t->at[i].next) i = t->at[i].parent;
    return t->at[i].next;
}

void nytp_calltree_free(nytp_calltree *t) {
    nytp_arena_free(&t->arena);
    *t = (nytp_calltree){0};
}
