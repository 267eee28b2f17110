/* SPDX-License-Identifier: MIT */
/* graphs.c - who calls whom, as graphs for graphviz: one of subs, one of packages, cut down to what a reader can
 * take in. */
#include "pages/pages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/ticks.h"
#include "model/grow.h"
#include "model/order.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"

#define MOST_VERTICES 200
#define LEAST_ARC 0.001 /* share of the run that an arc must have */

typedef struct vertex {
    nytp_str name;
    uint32_t sub;     /* where a link leads to */
    uint32_t index;
    int64_t self;
    int64_t weight;   /* inclusive time of calls from elsewhere, or its own if that is more */
    int32_t is_shown;
} vertex;

typedef struct arc {
    uint32_t from, to;
    int64_t calls, ticks;
} arc;

typedef struct graph {
    const nytp_html *h;
    nytp_arena arena;
    int by_package;
    vertex *vertices;
    arc *arcs;          /* between vertices that are shown */
    uint32_t *of_sub;   /* per sub: 1 + the index of its vertex, or 0 */
    uint32_t vertices_n, vertices_room, arcs_n, arcs_room;
    nytp_map names, pairs; /* to index + 1 */
} graph;

/* ---- making one ---- */

static vertex *find_vertex(graph *g, uint32_t sub) {
    const nytp_sub *s = &g->h->p->subs[sub];
    nytp_str name = g->by_package ? s->package : s->name;
    for (uint64_t key = nytp_str_hash(name);; key++) {
        uint32_t *found = nytp_map_at(&g->names, key);
        if (!found) return NULL;
        if (*found && nytp_str_eq(g->vertices[*found - 1].name, name)) return &g->vertices[*found - 1];
        if (*found) continue;
        vertex *v = nytp_grow(&g->arena, &g->vertices, g->vertices_n, &g->vertices_room, sizeof *v);
        if (!v) return NULL;
        *v = (vertex){.name = name, .sub = sub, .index = g->vertices_n};
        *found = ++g->vertices_n;
        return v;
    }
}

/* Valid until the next call, as vertices may move. */
static vertex *vertex_of(graph *g, uint32_t sub) {
    if (g->of_sub[sub]) return &g->vertices[g->of_sub[sub] - 1];
    vertex *v = find_vertex(g, sub);
    if (v) g->of_sub[sub] = v->index + 1;
    return v;
}

static int weigh(graph *g, const nytp_edge *e) {
    if (!vertex_of(g, e->caller)) return NYTP_NOMEM;
    vertex *to = vertex_of(g, e->callee);
    if (!to) return NYTP_NOMEM;
    if (g->of_sub[e->caller] != g->of_sub[e->callee]) to->weight = nytp_ticks_add(to->weight, e->inclusive);
    return NYTP_OK;
}

static int weigh_all(graph *g) {
    const nytp_profile *p = g->h->p;
    for (uint32_t i = 0; i < p->edges_n; i++)
        if (weigh(g, &p->edges[i])) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        if (!nytp_profile_sub_called(&p->subs[i]) && i != NYTP_ROOT) continue;
        vertex *v = vertex_of(g, i);
        if (!v) return NYTP_NOMEM;
        v->self = nytp_ticks_add(v->self, p->subs[i].exclusive);
    }
    return NYTP_OK;
}

static int by_weight(const void *a, const void *b) {
    const vertex *x = *(vertex *const *)a, *y = *(vertex *const *)b;
    if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

static int choose(graph *g) {
    vertex **order = nytp_arena_get(&g->arena, (g->vertices_n + 1u) * sizeof *order);
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 0; i < g->vertices_n; i++) {
        order[i] = &g->vertices[i];
        if (order[i]->weight < order[i]->self) order[i]->weight = order[i]->self;
    }
    qsort(order, g->vertices_n, sizeof *order, by_weight);
    for (uint32_t i = 0; i < g->vertices_n && i < MOST_VERTICES; i++) order[i]->is_shown = 1;
    return NYTP_OK;
}

static arc *arc_of(graph *g, uint32_t from, uint32_t to) {
    uint32_t *found = nytp_map_at(&g->pairs, (uint64_t)from << 32 | to);
    if (!found) return NULL;
    if (*found) return &g->arcs[*found - 1];
    arc *a = nytp_grow(&g->arena, &g->arcs, g->arcs_n, &g->arcs_room, sizeof *a);
    if (!a) return NULL;
    *a = (arc){.from = from, .to = to};
    *found = ++g->arcs_n;
    return a;
}

static int add_arcs(graph *g) {
    const nytp_profile *p = g->h->p;
    for (uint32_t i = 0; i < p->edges_n; i++) {
        const nytp_edge *e = &p->edges[i];
        uint32_t from = g->of_sub[e->caller] - 1, to = g->of_sub[e->callee] - 1;
        if (!g->vertices[from].is_shown || !g->vertices[to].is_shown) continue;
        arc *a = arc_of(g, from, to);
        if (!a) return NYTP_NOMEM;
        a->calls = nytp_ticks_add(a->calls, e->calls);
        a->ticks = nytp_ticks_add(a->ticks, e->inclusive);
    }
    return NYTP_OK;
}

static int make(graph *g) {
    g->of_sub = nytp_arena_get(&g->arena, g->h->p->subs_n * sizeof *g->of_sub);
    return g->of_sub && !weigh_all(g) && !choose(g) && !add_arcs(g) ? NYTP_OK : NYTP_NOMEM;
}

/* ---- writing it ---- */

static void put_vertex(nytp_buf *out, const graph *g, const vertex *v) {
    static const char *const heat[] = {"#ffffff", "#fff4d6", "#ffdf9e", "#ffbf73", "#ff9a5c", "#f77b4d"};
    nytp_text_format(out, "n%" PRIu32 " [label=\"", v->index);
    nytp_escape_dot(out, v->name);
    nytp_text_put(out, "\\n");
    nytp_parts_time(out, g->h, v->self);
    nytp_text_put(out, " own\", ");
    if (!g->by_package) {
        size_t begin = out->n;
        nytp_text_put(out, "URL=\"");
        if (nytp_parts_sub_target(out, g->h, v->sub)) nytp_text_put(out, "\", ");
        else out->n = begin;
    }
    nytp_text_format(out, "fillcolor=\"%s\"];\n", heat[nytp_order_heat(v->self, g->h->p->totals.whole)]);
}

static void put_arc(nytp_buf *out, const graph *g, const arc *a) {
    double share = g->h->p->totals.whole > 0 ? (double)a->ticks / (double)g->h->p->totals.whole : 1;
    if (!a->calls) return;
    if (share < LEAST_ARC && g->vertices_n > MOST_VERTICES) return;
    nytp_text_format(out, "n%" PRIu32 " -> n%" PRIu32 " [label=\"%" PRId64 "\", penwidth=%.1f];\n", a->from, a->to,
                     a->calls, 1 + 4 * (share > 0 && share < 1 ? share : share > 0));
}

static int put(nytp_html *h, int by_package, nytp_str page) {
    graph g = {.h = h, .by_package = by_package};
    nytp_buf out = {0};
    int code = make(&g);
    nytp_text_put(&out, "digraph {\ngraph [overlap=false, rankdir=LR];\nnode [shape=box, style=filled];\n");
    for (uint32_t i = 0; i < g.vertices_n; i++)
        if (g.vertices[i].is_shown) put_vertex(&out, &g, &g.vertices[i]);
    for (uint32_t i = 0; i < g.arcs_n; i++) put_arc(&out, &g, &g.arcs[i]);
    nytp_text_put(&out, "}\n");
    if (out.failed) code = NYTP_NOMEM;
    if (!code) code = nytp_sink_put(h->sink, page, out.p, out.n);
    nytp_buf_free(&out);
    nytp_map_free(&g.names);
    nytp_map_free(&g.pairs);
    nytp_arena_free(&g.arena);
    return code;
}

int nytp_graphs_write(nytp_html *h) {
    int code = put(h, 0, NYTP_LIT("subs-callgraph.dot"));
    return code ? code : put(h, 1, NYTP_LIT("packages-callgraph.dot"));
}
