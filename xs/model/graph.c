/* SPDX-License-Identifier: MIT */
/* graph.c - the call graph, from the profile's edges: one pass makes vertices and weighs them, the heaviest are chosen,
 * a second pass makes arcs between those. */
#include "model/graph.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/map.h"
#include "base/table.h"
#include "base/ticks.h"

typedef struct maker {
    nytp_graph *g;
    const nytp_profile *p;
    int by_package;
    uint32_t *of_sub;   /* per sub: 1 + the index of its vertex, or 0 */
    uint32_t vertices_room, arcs_room;
    nytp_table names; /* of vertices; 1 + index */
    nytp_map pairs;   /* both ends of an arc to 1 + index */
} maker;

/* ---- vertices ---- */

static int is_named(const void *of, uint32_t number, const void *name) {
    return nytp_str_eq(((const nytp_graph *)of)->vertices[number - 1].name, *(const nytp_str *)name);
}

/* The index; UINT32_MAX when memory is short. */
static uint32_t find_vertex(maker *m, uint32_t sub) {
    nytp_graph *g = m->g;
    nytp_str name = m->by_package ? m->p->subs[sub].package : m->p->subs[sub].name;
    uint32_t *found = nytp_table_at(&m->names, nytp_str_hash(name), is_named, g, &name);
    if (found && *found) return *found - 1;
    nytp_vertex *v = found ? nytp_grow(&g->arena, &g->vertices, g->vertices_n, &m->vertices_room, sizeof *v) : NULL;
    if (!v) return UINT32_MAX;
    *v = (nytp_vertex){.name = name, .sub = sub};
    *found = ++g->vertices_n;
    return *found - 1;
}

/* Valid until the next call, as vertices may move. NULL when memory is short: UINT32_MAX + 1 is 0, no vertex yet. */
static nytp_vertex *vertex_of(maker *m, uint32_t sub) {
    if (!m->of_sub[sub]) m->of_sub[sub] = find_vertex(m, sub) + 1;
    return m->of_sub[sub] ? &m->g->vertices[m->of_sub[sub] - 1] : NULL;
}

/* A call within one vertex adds nothing to its weight. */
static enum nytp_code weigh(maker *m, const nytp_edge *e) {
    if (!vertex_of(m, e->caller)) return NYTP_NOMEM;
    nytp_vertex *to = vertex_of(m, e->callee);
    if (!to) return NYTP_NOMEM;
    if (m->of_sub[e->caller] != m->of_sub[e->callee]) to->weight = nytp_ticks_add(to->weight, e->inclusive);
    return NYTP_OK;
}

/* The time of the main program, or of its package: also that of what other phases call there. */
static int64_t time_of_root(const maker *m) {
    const nytp_profile *p = m->p;
    int64_t ticks = p->subs[NYTP_ROOT].inclusive;
    for (uint32_t i = 0; i < p->edges_n; i++) {
        const nytp_edge *e = &p->edges[i];
        int is_into = m->of_sub[e->callee] == m->of_sub[NYTP_ROOT] && m->of_sub[e->caller] != m->of_sub[NYTP_ROOT];
        if (is_into && p->subs[e->caller].flags & NYTP_SUB_PHASE) ticks = nytp_ticks_add(ticks, e->inclusive);
    }
    return ticks;
}

/* The root has a vertex, too, though nothing calls it. */
static enum nytp_code weigh_all(maker *m) {
    const nytp_profile *p = m->p;
    for (uint32_t i = 0; i < p->edges_n; i++)
        if (weigh(m, &p->edges[i])) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        if (!nytp_profile_sub_called(&p->subs[i]) && i != NYTP_ROOT) continue;
        nytp_vertex *v = vertex_of(m, i);
        if (!v) return NYTP_NOMEM;
        v->self = nytp_ticks_add(v->self, p->subs[i].exclusive);
        v->calls = nytp_ticks_add(v->calls, p->subs[i].calls);
    }
    m->g->vertices[m->of_sub[NYTP_ROOT] - 1].weight = time_of_root(m);
    return NYTP_OK;
}

static int by_weight(const void *a, const void *b) {
    const nytp_vertex *x = *(nytp_vertex *const *)a, *y = *(nytp_vertex *const *)b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

/* The vertex of what is not shown. */
static enum nytp_code add_others(maker *m) {
    nytp_graph *g = m->g;
    nytp_vertex others = {.is_shown = 1};
    g->others = UINT32_MAX;
    for (uint32_t i = 0; i < g->vertices_n; i++) {
        const nytp_vertex *v = &g->vertices[i];
        if (v->is_shown) continue;
        g->hidden++;
        others.calls = nytp_ticks_add(others.calls, v->calls);
        others.self = nytp_ticks_add(others.self, v->self);
    }
    if (!g->hidden) return NYTP_OK;
    nytp_vertex *v = nytp_grow(&g->arena, &g->vertices, g->vertices_n, &m->vertices_room, sizeof *v);
    if (!v) return NYTP_NOMEM;
    *v = others;
    v->weight = v->self;
    g->others = g->vertices_n++;
    return NYTP_OK;
}

/* Vertices stay where they are, as arcs name them by index. */
static enum nytp_code choose(nytp_graph *g, uint32_t most, int64_t least) {
    nytp_vertex **order = nytp_arena_get(&g->arena, (g->vertices_n + 1u) * sizeof *order);
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 0; i < g->vertices_n; i++) {
        order[i] = &g->vertices[i];
        if (order[i]->weight < order[i]->self) order[i]->weight = order[i]->self;
    }
    qsort(order, g->vertices_n, sizeof *order, by_weight);
    for (uint32_t i = 0; i < g->vertices_n && i < most; i++) order[i]->is_shown = order[i]->weight >= least;
    return NYTP_OK;
}

/* ---- arcs ---- */

/* Valid until the next call. NULL when memory is short. */
static nytp_arc *arc_of(maker *m, uint32_t from, uint32_t to) {
    nytp_graph *g = m->g;
    uint32_t *found = nytp_map_at(&m->pairs, (uint64_t)from << 32 | to);
    if (!found) return NULL;
    if (*found) return &g->arcs[*found - 1];
    nytp_arc *a = nytp_grow(&g->arena, &g->arcs, g->arcs_n, &m->arcs_room, sizeof *a);
    if (!a) return NULL;
    *a = (nytp_arc){.from = from, .to = to};
    *found = ++g->arcs_n;
    return a;
}

/* The vertex that a sub is shown as. */
static uint32_t shown_as(const maker *m, uint32_t sub) {
    uint32_t vertex = m->of_sub[sub] - 1;
    return m->g->vertices[vertex].is_shown ? vertex : m->g->others;
}

/* Calls among the others are no arc. */
static enum nytp_code add_arcs(maker *m) {
    for (uint32_t i = 0; i < m->p->edges_n; i++) {
        const nytp_edge *e = &m->p->edges[i];
        uint32_t from = shown_as(m, e->caller), to = shown_as(m, e->callee);
        if (from == to && to == m->g->others) continue;
        nytp_arc *a = arc_of(m, from, to);
        if (!a) return NYTP_NOMEM;
        a->calls = nytp_ticks_add(a->calls, e->calls);
        a->ticks = nytp_ticks_add(a->ticks, e->inclusive);
    }
    return NYTP_OK;
}

enum nytp_code nytp_graph_build(nytp_graph *g, const nytp_profile *p, int by_package, uint32_t most, int64_t least) {
    maker m = {.g = g, .p = p, .by_package = by_package};
    m.of_sub = nytp_arena_get(&g->arena, p->subs_n * sizeof *m.of_sub);
    int failed = !m.of_sub || weigh_all(&m) || choose(g, most, least) || add_others(&m) || add_arcs(&m);
    nytp_table_free(&m.names);
    nytp_map_free(&m.pairs);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

void nytp_graph_free(nytp_graph *g) {
    nytp_arena_free(&g->arena);
    *g = (nytp_graph){0};
}
