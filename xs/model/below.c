/* SPDX-License-Identifier: MIT */
/* below.c - cuts the tree of contexts down to what is below some subs. */
#include "model/below.h"

#include <stdlib.h>

#include "model/tree.h"

enum mark {
    INSIDE = 1, /* it is left */
    CALLER = 2  /* it calls what is left, and is not left itself */
};

/* Contexts that are not below the one that they stand below: in a phase of the program perl itself calls subs. */
static int begins(const nytp_profile *p, uint32_t i) {
    return i == NYTP_ROOT || p->subs[p->nodes[i].sub].flags & NYTP_SUB_PHASE;
}

/* Returns the number of contexts with a mark. Parents stand before their children. */
static uint32_t mark_all(unsigned char *marks, const nytp_profile *p, const unsigned char *from) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_node *node = &p->nodes[i];
        int is_below = !begins(p, i) && marks[node->parent] & INSIDE;
        if (!is_below && !from[node->sub]) continue;
        n++;
        marks[i] |= INSIDE;
        if (marks[node->parent]) continue;
        n++;
        marks[node->parent] = CALLER;
    }
    return n;
}

/* Without what is summed up again. A path of format 5 has no lines, and its edge none either. */
static nytp_node copy_of(const nytp_node *node, uint32_t parent) {
    nytp_node copy = *node;
    copy.parent = parent;
    copy.whole = 0;
    if (copy.line == NYTP_LINE_UNKNOWN) copy.file = copy.line = 0;
    return copy;
}

static nytp_node caller(uint32_t sub) { return (nytp_node){.sub = sub, .line = NYTP_LINE_UNKNOWN}; }

/* The root and the node of lost data have their places, whether they are left or not. */
static void copy_nodes(nytp_profile *p, nytp_node *to, uint32_t *at, const unsigned char *marks) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_node *node = &p->nodes[i];
        if (!marks[i] && i > NYTP_UNKNOWN) continue;
        at[i] = n;
        to[n++] = marks[i] & INSIDE ? copy_of(node, at[node->parent]) : caller(node->sub);
    }
    p->nodes = to;
    p->nodes_n = p->nodes_room = n;
}

/* What sums of contexts are added to. */
static void empty(nytp_sub *s) {
    s->calls = s->exclusive = s->inclusive = s->recursive = s->nested = 0;
    s->spread = s->whole_spread = s->nested_spread = 0;
    s->depth = s->own = s->whole = 0;
    s->callers = (nytp_slice){0, 0};
}

static enum nytp_code cut(nytp_profile *p, unsigned char *marks, uint32_t *at, const unsigned char *from) {
    uint32_t n = mark_all(marks, p, from);
    nytp_node *nodes = nytp_arena_get(&p->arena, (n + NYTP_UNKNOWN + (size_t)1) * sizeof *nodes);
    if (!nodes) return NYTP_NOMEM;
    copy_nodes(p, nodes, at, marks);
    for (uint32_t i = 0; i < p->subs_n; i++) empty(&p->subs[i]);
    for (uint32_t i = 0; i < p->files_n; i++) p->files[i].calls = (nytp_slice){0, 0};
    p->edges_n = p->sites_n = 0;
    return nytp_tree_sum(p);
}

enum nytp_code nytp_below_keep(nytp_profile *p, unsigned char *from) {
    const nytp_node *all = p->nodes;
    uint32_t n = p->nodes_n;
    unsigned char *marks = calloc(n + (size_t)1, 1);
    uint32_t *at = calloc(n + (size_t)1, sizeof *at);
    enum nytp_code code = marks && at ? cut(p, marks, at, from) : NYTP_NOMEM;
    for (uint32_t i = 0; i < n && !code; i++)
        if (marks[i] & INSIDE) from[all[i].sub] = 1;
    free(marks);
    free(at);
    return code;
}
