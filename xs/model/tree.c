/* SPDX-License-Identifier: MIT */
/* tree.c - inclusive times and recursion, from a tree with exclusive times only; then edges and subs. */
#include "model/tree.h"

#include <assert.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/ticks.h"
#include "model/metrics.h"
#include "model/quantile.h"

#define DEEPEST ((1u << 30) - 1) /* that nytp_node has room for */

typedef struct path { /* from the root to where the walk is */
    nytp_profile *p;
    uint32_t *on_it; /* calls of each sub on the path */
    nytp_map lines;  /* of file and line to the number of calls on the path that were made there, if any: it is small */
    int32_t failed;  /* 1: memory was short */
} path;

static int is_at_line(const nytp_node *node) { return node->file && node->line != NYTP_LINE_UNKNOWN; }

static uint64_t line_of(const nytp_node *node) { return (uint64_t)node->file << 32 | node->line; }

static void go_down(void *self, uint32_t i) {
    path *at = self;
    nytp_node *node = &at->p->nodes[i];
    node->depth = at->on_it[node->sub]++ & DEEPEST;
    if (!is_at_line(node)) return;
    uint32_t *calls = nytp_map_at(&at->lines, line_of(node));
    if (calls) node->is_inner = (*calls)++ != 0;
    else at->failed = 1;
}

static void go_up(void *self, uint32_t i) {
    path *at = self;
    const nytp_node *node = &at->p->nodes[i];
    assert(at->on_it[node->sub] > 0);
    at->on_it[node->sub]--;
    if (!is_at_line(node) || at->failed) return;
    if (node->is_inner) --*nytp_map_at(&at->lines, line_of(node));
    else nytp_map_drop(&at->lines, line_of(node));
}

/* ---- edges, callee by callee, so that each search is among a few ---- */

typedef struct parts { /* sources of edges: nodes, and behind them edges that were read */
    nytp_profile *p;
    const nytp_edge *read;
    const float *spread; /* per node, of its inclusive time */
    uint32_t n;       /* of nodes and edges */
    uint32_t *sorted; /* by callee */
    uint32_t *ends;   /* per sub: end of its parts in sorted */
} parts;

/* A context without calls of its own (a forked child returning into it) makes no edge; nor does a context with an edge
 * that was read. */
static int makes_edge(const parts *from, uint32_t i) {
    if (i >= from->p->nodes_n) return 1;
    const nytp_node *node = &from->p->nodes[i];
    return i && (node->calls || node->inclusive) && node->line != NYTP_LINE_UNKNOWN;
}

static uint32_t callee_of(const parts *from, uint32_t i) {
    const nytp_profile *p = from->p;
    return i < p->nodes_n ? p->nodes[i].sub : from->read[i - p->nodes_n].callee;
}

/* Without paths the caller tells: what a C function calls is called at the line of its own call. */
static nytp_edge read_edge(const nytp_profile *p, const nytp_edge *read) {
    nytp_edge e = *read;
    int is_inner = (p->subs[e.caller].flags & (NYTP_SUB_XSUB | NYTP_SUB_OPCODE)) != 0;
    e.outer = is_inner ? 0 : e.inclusive ? e.inclusive : e.recursive;
    return e;
}

static nytp_edge edge_of(const parts *from, uint32_t i) {
    const nytp_profile *p = from->p;
    if (i >= p->nodes_n) return read_edge(p, &from->read[i - p->nodes_n]);
    const nytp_node *node = &p->nodes[i];
    nytp_edge e = {.caller = p->nodes[node->parent].sub, .callee = node->sub, .file = node->file, .line = node->line,
                   .tail = node->tail};
    nytp_context_add(node, &e);
    nytp_metrics_add(from->p, &e.own, node->own);
    if (!node->depth) nytp_metrics_add(from->p, &e.whole, node->whole);
    if (!node->depth) e.spread = from->spread[i];
    if (p->is_timed) e.timed = nytp_map_get(&p->timed_nodes, i + UINT64_C(1));
    return e;
}

/* A counting sort: each sub's count becomes the index of its first part, then of its end. */
static enum nytp_code sort_parts(parts *from) {
    uint32_t before = 0, subs = from->p->subs_n;
    from->sorted = calloc(from->n + (size_t)1, sizeof *from->sorted);
    from->ends = calloc(subs + (size_t)1, sizeof *from->ends);
    if (!from->sorted || !from->ends) return NYTP_NOMEM;
    for (uint32_t i = 0; i < from->n; i++)
        if (makes_edge(from, i)) from->ends[callee_of(from, i)]++;
    for (uint32_t i = 0; i < subs; i++) {
        uint32_t count = from->ends[i];
        from->ends[i] = before;
        before += count;
    }
    for (uint32_t i = 0; i < from->n; i++)
        if (makes_edge(from, i)) from->sorted[from->ends[callee_of(from, i)]++] = i;
    return NYTP_OK;
}

static int by_site(const void *a, const void *b) {
    const nytp_edge *x = a, *y = b;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->tail < y->tail ? -1 : x->tail > y->tail;
}

static int most_calls_first(const void *a, const void *b) {
    const nytp_edge *x = a, *y = b;
    if (x->calls != y->calls) return x->calls > y->calls ? -1 : 1;
    if (x->inclusive != y->inclusive) return x->inclusive > y->inclusive ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    return x->tail < y->tail ? -1 : x->tail > y->tail;
}

/* The lengths of calls of several contexts, or streams. 0 when memory is short. */
static int join_lengths(nytp_profile *p, nytp_edge *to, const nytp_edge *more) {
    if (!to->timed || !more->timed) {
        to->timed |= more->timed;
        return 1;
    }
    return nytp_quantile_join(&p->arena, p->timed[to->timed - 1], p->timed[more->timed - 1]);
}

static void add_edge(nytp_profile *p, nytp_edge *to, const nytp_edge *more) {
    if (!join_lengths(p, to, more)) p->metrics_failed = 1;
    nytp_edge_add(to, more);
    nytp_metrics_add(p, &to->own, more->own);
    nytp_metrics_add(p, &to->whole, more->whole);
}

/* Makes the edges of one callee from n of its parts, at e, where there is room for as many. Returns their number. */
static uint32_t make_edges(const parts *from, const uint32_t *sorted, uint32_t n, nytp_edge *e) {
    uint32_t made = 0;
    for (uint32_t i = 0; i < n; i++) e[i] = edge_of(from, sorted[i]);
    if (n > 1) qsort(e, n, sizeof *e, by_site);
    for (uint32_t i = 0; i < n; i++) {
        if (made && by_site(&e[made - 1], &e[i]) == 0) add_edge(from->p, &e[made - 1], &e[i]);
        else e[made++] = e[i];
    }
    if (made > 1) qsort(e, made, sizeof *e, most_calls_first);
    return made;
}

static enum nytp_code build_edges(nytp_profile *p, const float *spread) {
    parts from = {.p = p, .read = p->edges, .spread = spread, .n = p->nodes_n + p->edges_n};
    nytp_edge *edges = nytp_arena_get(&p->arena, (from.n + (size_t)1) * sizeof *edges);
    enum nytp_code code = edges ? sort_parts(&from) : NYTP_NOMEM;
    uint32_t n = 0, at = 0;
    for (uint32_t sub = 0; sub < p->subs_n && !code; at = from.ends[sub++])
        n += make_edges(&from, from.sorted + at, from.ends[sub] - at, edges + n);
    if (!code) {
        p->edges = edges;
        p->edges_n = p->edges_room = n;
    }
    free(from.sorted);
    free(from.ends);
    nytp_map_free(&p->timed_nodes);
    return code;
}

static void add_to_sub(nytp_profile *p, nytp_sub *s, const nytp_edge *e) {
    s->calls = nytp_ticks_add(s->calls, e->calls);
    s->exclusive = nytp_ticks_add(s->exclusive, e->exclusive);
    s->inclusive = nytp_ticks_add(s->inclusive, e->inclusive);
    s->recursive = nytp_ticks_add(s->recursive, e->recursive);
    nytp_metrics_add(p, &s->own, e->own);
    nytp_metrics_add(p, &s->whole, e->whole);
    if (e->depth > s->depth) s->depth = e->depth;
    s->callers.n++;
}

/* A phase has its time apart from the main program, below which it is. */
static void take_phases_out(nytp_profile *p) {
    for (uint32_t i = 1; i < p->nodes_n; i++) {
        const nytp_node *node = &p->nodes[i], *around = &p->nodes[node->parent];
        nytp_sub *s = &p->subs[around->sub];
        if (!(p->subs[node->sub].flags & NYTP_SUB_PHASE) || around->depth) continue;
        s->inclusive = nytp_ticks_minus(s->inclusive, node->inclusive);
    }
}

static void sum_subs(nytp_profile *p) {
    for (uint32_t i = 0; i < p->edges_n; i++) {
        nytp_sub *s = &p->subs[p->edges[i].callee];
        if (!s->callers.n) s->callers.first = i;
        add_to_sub(p, s, &p->edges[i]);
    }
    const nytp_node *root = &p->nodes[NYTP_ROOT];
    p->subs[NYTP_ROOT].exclusive = nytp_ticks_add(p->subs[NYTP_ROOT].exclusive, root->exclusive);
    p->subs[NYTP_ROOT].inclusive = nytp_ticks_add(p->subs[NYTP_ROOT].inclusive, root->inclusive);
    nytp_metrics_add(p, &p->subs[NYTP_ROOT].own, root->own);
    nytp_metrics_add(p, &p->subs[NYTP_ROOT].whole, root->whole);
    take_phases_out(p);
}

/* Parents stand before their children. */
static void sum_values(nytp_profile *p) {
    for (uint32_t i = 0; i < p->nodes_n; i++) nytp_metrics_add(p, &p->nodes[i].whole, p->nodes[i].own);
    for (uint32_t i = p->nodes_n; i-- > 1;)
        nytp_metrics_add(p, &p->nodes[p->nodes[i].parent].whole, p->nodes[i].whole);
}

/* The error of each node's inclusive time: the sum of its own and its children's spreads. */
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

enum nytp_code nytp_tree_sum(nytp_profile *p) {
    path at = {.p = p, .on_it = calloc(p->subs_n, sizeof *at.on_it)};
    if (!at.on_it) return NYTP_NOMEM;
    nytp_context_sum(p->nodes, p->nodes_n);
    sum_values(p);
    nytp_context_walk(p->nodes, go_down, go_up, &at);
    free(at.on_it);
    nytp_map_free(&at.lines);
    float *spread = spreads(p);
    if (spread) add_nodes(p, spread);
    int failed = at.failed || !spread || build_edges(p, spread);
    free(spread);
    if (failed) return NYTP_NOMEM;
    sum_subs(p);
    return NYTP_OK;
}
