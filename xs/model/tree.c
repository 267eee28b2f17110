/* tree.c - inclusive times and recursion, from a tree that knows exclusive times only; then edges and subs. */
#include "model/tree.h"

#include <stdlib.h>

#include "base/ticks.h"

typedef struct path { /* from the root to where the walk is */
    nytp_profile *p;
    uint32_t *on_it; /* calls of each sub */
} path;

static void go_down(void *self, uint32_t i) {
    const path *at = self;
    nytp_node *node = &at->p->nodes[i];
    node->depth = at->on_it[node->sub]++;
}

static void go_up(void *self, uint32_t i) {
    const path *at = self;
    at->on_it[at->p->nodes[i].sub]--;
}

/* Those that were read, once more: merging evals may have made several into one. */
static int take_read_edges(nytp_profile *p, nytp_intern *in) {
    const nytp_edge *read = p->edges;
    uint32_t n = p->edges_n;
    p->edges = NULL;
    p->edges_n = p->edges_room = 0;
    nytp_map_free(&in->edges);
    for (uint32_t i = 0; i < n; i++)
        if (nytp_intern_edge(in, &read[i]) == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    return NYTP_OK;
}

/* A context that was only passed on the way to others (a fork child returning into it) makes no edge; nor does one
 * whose edge was read. */
static int build_edges(nytp_profile *p, nytp_intern *in, const float *spread) {
    for (uint32_t i = 1; i < p->nodes_n; i++) {
        const nytp_node *node = &p->nodes[i];
        if ((!node->calls && !node->inclusive) || node->line == NYTP_LINE_UNKNOWN) continue;
        nytp_edge e = {.caller = p->nodes[node->parent].sub, .callee = node->sub, .file = node->file,
                       .line = node->line, .tail = node->tail};
        nytp_context_add(node, &e);
        if (!node->depth) e.spread = spread[i];
        if (nytp_intern_edge(in, &e) == NYTP_INTERN_FAILED) return NYTP_NOMEM;
    }
    return NYTP_OK;
}

static int by_callee(const void *a, const void *b) {
    const nytp_edge *x = a, *y = b;
    if (x->callee != y->callee) return x->callee < y->callee ? -1 : 1;
    if (x->calls != y->calls) return x->calls > y->calls ? -1 : 1;
    if (x->inclusive != y->inclusive) return x->inclusive > y->inclusive ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    return x->tail < y->tail ? -1 : x->tail > y->tail;
}

static void add_to_sub(nytp_sub *s, const nytp_edge *e) {
    s->calls = nytp_ticks_add(s->calls, e->calls);
    s->exclusive = nytp_ticks_add(s->exclusive, e->exclusive);
    s->inclusive = nytp_ticks_add(s->inclusive, e->inclusive);
    s->recursive = nytp_ticks_add(s->recursive, e->recursive);
    nytp_memory_add(&s->own, e->own);
    nytp_memory_add(&s->whole, e->whole);
    if (e->depth > s->depth) s->depth = e->depth;
    s->callers.n++;
}

static void sum_subs(nytp_profile *p) {
    if (p->edges_n) qsort(p->edges, p->edges_n, sizeof *p->edges, by_callee);
    for (uint32_t i = 0; i < p->edges_n; i++) {
        nytp_sub *s = &p->subs[p->edges[i].callee];
        if (!s->callers.n) s->callers.first = i;
        add_to_sub(s, &p->edges[i]);
    }
    const nytp_node *root = &p->nodes[NYTP_ROOT];
    p->subs[NYTP_ROOT].exclusive = nytp_ticks_add(p->subs[NYTP_ROOT].exclusive, root->exclusive);
    p->subs[NYTP_ROOT].inclusive = nytp_ticks_add(p->subs[NYTP_ROOT].inclusive, root->inclusive);
    nytp_memory_add(&p->subs[NYTP_ROOT].own, root->own);
    nytp_memory_add(&p->subs[NYTP_ROOT].whole, root->whole);
}

/* How far the inclusive time of each node may be off: by what is off of its own and of its children's. */
static float *spreads(const nytp_profile *p) {
    float *spread = malloc(p->nodes_n * sizeof *spread);
    for (uint32_t i = 0; i < p->nodes_n && spread; i++) spread[i] = p->nodes[i].spread;
    for (uint32_t i = p->nodes_n; i-- > 1 && spread;) spread[p->nodes[i].parent] += spread[i];
    return spread;
}

static void add_nodes(nytp_profile *p, const float *spread) {
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_node *node = &p->nodes[i];
        nytp_sub *s = &p->subs[node->sub];
        if (i && node->depth) s->nested = nytp_ticks_add(s->nested, node->calls);
        s->spread += node->spread;
        if (node->depth) s->nested_spread += spread[i];
        else s->whole_spread += spread[i];
    }
}

int nytp_tree_sum(nytp_profile *p, nytp_intern *in) {
    path at = {p, calloc(p->subs_n, sizeof *at.on_it)};
    if (!at.on_it) return NYTP_NOMEM;
    nytp_context_sum(p->nodes, p->nodes_n);
    nytp_context_walk(p->nodes, go_down, go_up, &at);
    free(at.on_it);
    float *spread = spreads(p);
    if (spread) add_nodes(p, spread);
    int failed = !spread || take_read_edges(p, in) || build_edges(p, in, spread);
    free(spread);
    if (failed) return NYTP_NOMEM;
    sum_subs(p);
    return NYTP_OK;
}
