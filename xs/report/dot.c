/* SPDX-License-Identifier: MIT */
/* dot.c - the call graph for graphviz: a box for each sub or package, coloured by its own time, an arrow for the calls
 * between two of them, as thick as their time. */
#include "report/dot.h"

#include <inttypes.h>

#include "model/graph.h"
#include "model/order.h"
#include "report/escape.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"

#define LEAST_ARC 0.001 /* least share of the run for an arc if vertices are left out */

/* fillcolor is one of the colours that html/style.css has for the same share of the run. */
static void put_vertex(nytp_buf *out, const nytp_profile *p, const nytp_dot *dot, const nytp_graph *g, uint32_t i) {
    static const char *const heat[] = {"#ffffff", "#fff4d6", "#ffdf9e", "#ffbf73", "#ff9a5c", "#f77b4d"};
    const nytp_vertex *v = &g->vertices[i];
    nytp_text_format(out, "n%" PRIu32 " [label=\"", i);
    nytp_escape_dot(out, v->name);
    nytp_text_put(out, "\\n");
    nytp_units_time(out, nytp_profile_seconds(p, v->self));
    nytp_text_put(out, " own\", ");
    if (dot->link && !dot->by_package) {
        size_t begin = out->n;
        nytp_text_put(out, "URL=\"");
        if (dot->link(out, dot->context, v->sub)) nytp_text_put(out, "\", ");
        else out->n = begin;
    }
    nytp_text_format(out, "fillcolor=\"%s\"];\n", heat[nytp_order_heat(v->self, p->totals.whole)]);
}

/* The label has the calls, the width of the line the share of the run: 1 to 5 points. */
static void put_arc(nytp_buf *out, const nytp_profile *p, const nytp_arc *a, int is_cut) {
    double share = p->totals.whole > 0 ? (double)a->ticks / (double)p->totals.whole : 1;
    if (!a->calls) return;
    if (share < LEAST_ARC && is_cut) return;
    nytp_text_format(out, "n%" PRIu32 " -> n%" PRIu32 " [label=\"%" PRId64 "\", penwidth=%.1f];\n", a->from, a->to,
                     a->calls, 1 + 4 * (share > 0 && share < 1 ? share : share > 0));
}

int nytp_dot_put(nytp_buf *out, const nytp_profile *p, const nytp_dot *dot) {
    nytp_graph g = {0};
    int code = nytp_graph_build(&g, p, dot->by_package, dot->most);
    nytp_text_put(out, "digraph {\ngraph [overlap=false, rankdir=LR];\nnode [shape=box, style=filled];\n");
    for (uint32_t i = 0; i < g.vertices_n; i++)
        if (g.vertices[i].is_shown) put_vertex(out, p, dot, &g, i);
    for (uint32_t i = 0; i < g.arcs_n; i++) put_arc(out, p, &g.arcs[i], g.vertices_n > dot->most);
    nytp_text_put(out, "}\n");
    nytp_graph_free(&g);
    return out->failed ? NYTP_NOMEM : code;
}

/* ---- the report ---- */

enum { PACKAGES, NODES };

static const nytp_arg args[] = {
    [PACKAGES] = {.name = "packages", .help = "a node for each package, not for each sub"},
    [NODES] = {.name = "nodes", .kind = NYTP_ARG_NUMBER, .value = "N", .fallback = "200", .least = 1, .most = 1000000,
               .help = "only the N nodes with the most inclusive time"},
    {0},
};

static int write_dot(const nytp_request *r, nytp_sink *sink) {
    const nytp_dot dot = {.by_package = r->values[PACKAGES].given != 0, .most = (uint32_t)r->values[NODES].number};
    nytp_buf out = {0};
    int code = nytp_dot_put(&out, r->profiles, &dot);
    if (!code) code = nytp_sink_put(sink, NYTP_LIT("callgraph.dot"), out.p, out.n);
    nytp_buf_free(&out);
    return code;
}

const nytp_report nytp_dot_report = {
    .name = "dot",
    .summary = "prints the call graph for graphviz",
    .output = "-",
    .is_page = 1,
    .tells_outside = 1,
    .args = args,
    .write = write_dot,
};
