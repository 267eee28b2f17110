/* SPDX-License-Identifier: MIT */
/* dot.c - the call graph for graphviz: a box for each sub or package, as large and as hot as its time, an arrow for the
 * calls between two of them, as thick as their time. */
#include "report/dot.h"

#include <inttypes.h>
#include <string.h>

#include "model/graph.h"
#include "model/order.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"

#define LEAST_ARC 0.001 /* least share of the run for an arc if vertices are left out */

typedef struct picture {
    nytp_buf *out;
    const nytp_profile *p;
    const nytp_dot *dot;
    nytp_graph graph;
    int64_t largest; /* time of a vertex that is shown */
} picture;

static int64_t size_of(const picture *pic, const nytp_vertex *v) { return pic->dot->by_total ? v->weight : v->self; }

static double share_of(int64_t part, int64_t whole) {
    if (part <= 0 || whole <= 0) return 0;
    return part < whole ? (double)part / (double)whole : 1;
}

/* A square root, for areas in proportion: share is from 0 to 1. */
static double root_of(double share) {
    double root = 1;
    for (int i = 0; i < 30 && share > 0; i++) root = (root + share / root) / 2;
    return share > 0 ? root : 0;
}

static void put_name(const picture *pic, const nytp_vertex *v) {
    nytp_buf name = {0};
    if (pic->dot->by_package) nytp_escape_dot(pic->out, v->name);
    else nytp_escape_dot(pic->out, nytp_names_shown(&name, pic->p, &pic->p->subs[v->sub]));
    nytp_buf_done(&name, pic->out);
}

/* Of the others no total is known, as they may call each other through the rest. */
static void put_label(const picture *pic, uint32_t i) {
    const nytp_vertex *v = &pic->graph.vertices[i];
    nytp_buf *out = pic->out;
    if (i == pic->graph.others) nytp_text_around(out, "(", pic->graph.hidden, " others)");
    else put_name(pic, v);
    if (v->calls > 0) nytp_text_around(out, "\\ncalls: ", (uint64_t)v->calls, "");
    if (i != pic->graph.others) {
        nytp_text_put(out, "\\ntotal time: ");
        nytp_units_time(out, nytp_profile_seconds(pic->p, v->weight));
    }
    nytp_text_put(out, "\\nself time: ");
    nytp_units_time(out, nytp_profile_seconds(pic->p, v->self));
}

/* fillcolor is one of the colours that html/style.css has for the same share of the run. */
static void put_vertex(const picture *pic, uint32_t i) {
    static const char *const heat[NYTP_ORDER_HOTTEST + 1] = {"#ffffff", "#fff4d6", "#ffe8b6", "#ffd68c",
                                                             "#ffbf73", "#ffa562", "#fa8c54", "#f06f43"};
    const nytp_vertex *v = &pic->graph.vertices[i];
    nytp_buf *out = pic->out;
    nytp_text_format(out, "n%" PRIu32 " [label=\"", i);
    put_label(pic, i);
    nytp_text_put(out, "\", ");
    if (pic->dot->link && !pic->dot->by_package && i != pic->graph.others) {
        size_t begin = out->n;
        nytp_text_put(out, "URL=\"");
        if (pic->dot->link(out, pic->dot->context, v->sub)) nytp_text_put(out, "\", ");
        else out->n = begin;
    }
    double size = root_of(share_of(size_of(pic, v), pic->largest));
    nytp_text_format(out, "fontsize=%.0f, penwidth=%.1f, fillcolor=\"%s\"];\n", 10 + 14 * size, 1 + 2 * size,
                     heat[nytp_order_heat(size_of(pic, v), pic->p->totals.whole)]);
}

/* The label has the calls, the width of the line the share of the run: 1 to 5 points. Arcs with a larger weight are
 * drawn shorter and straighter. */
static void put_arc(const picture *pic, const nytp_arc *a) {
    double share = pic->p->totals.whole > 0 ? share_of(a->ticks, pic->p->totals.whole) : 1;
    if (!a->calls || !pic->graph.vertices[a->from].is_shown || !pic->graph.vertices[a->to].is_shown) return;
    if (share < LEAST_ARC && pic->graph.hidden) return;
    nytp_text_format(pic->out, "n%" PRIu32 " -> n%" PRIu32 " [label=\"%" PRId64 "\", penwidth=%.1f, weight=%.0f];\n",
                     a->from, a->to, a->calls, 1 + 4 * share, 1 + 9 * share);
}

static int is_chosen(const picture *pic, const nytp_vertex *v) {
    const nytp_selection *s = pic->dot->selection;
    if (!pic->dot->by_package) return nytp_selection_has(s, v->sub);
    for (uint32_t i = 0; i < pic->p->subs_n; i++)
        if (nytp_selection_has(s, i) && nytp_str_eq(pic->p->subs[i].package, v->name)) return 1;
    return 0;
}

/* The vertex for the others has chosen subs and others: it is left out, too. */
static void choose(picture *pic) {
    if (!pic->dot->selection || !pic->dot->selection->chosen) return;
    for (uint32_t i = 0; i < pic->graph.vertices_n; i++)
        pic->graph.vertices[i].is_shown &= i != pic->graph.others && is_chosen(pic, &pic->graph.vertices[i]);
}

int nytp_dot_put(nytp_buf *out, const nytp_profile *p, const nytp_dot *dot) {
    picture pic = {.out = out, .p = p, .dot = dot};
    const nytp_graph *g = &pic.graph;
    int code = nytp_graph_build(&pic.graph, p, dot->by_package, dot->most, dot->least);
    if (!code) choose(&pic);
    for (uint32_t i = 0; i < g->vertices_n; i++)
        if (g->vertices[i].is_shown && size_of(&pic, &g->vertices[i]) > pic.largest)
            pic.largest = size_of(&pic, &g->vertices[i]);
    nytp_text_put(out, "digraph {\ngraph [overlap=false, rankdir=LR];\nnode [shape=box, style=filled];\n");
    for (uint32_t i = 0; i < g->vertices_n; i++)
        if (g->vertices[i].is_shown) put_vertex(&pic, i);
    for (uint32_t i = 0; i < g->arcs_n; i++) put_arc(&pic, &g->arcs[i]);
    nytp_text_put(out, "}\n");
    nytp_graph_free(&pic.graph);
    return out->failed ? NYTP_NOMEM : code;
}

/* ---- the report ---- */

enum { PACKAGES, SCALE, NODES, TOP };

static const nytp_arg args[] = {
    [PACKAGES] = {.name = "packages", .help = "a node for each package, not for each sub"},
    [SCALE] = {.name = "scale", .kind = NYTP_ARG_WORD, .value = "TIME", .fallback = "self", .words = "self total",
               .help = "the time that sizes and colours of nodes show"},
    [NODES] = {.name = "nodes", .kind = NYTP_ARG_NUMBER, .value = "N", .fallback = "200", .least = 1, .most = 1000000,
               .help = "only the N nodes with the most inclusive time, and one for the others"},
    [TOP] = {.name = "top", .letter = 'n', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 1000000,
             .without = "nodes", .help = "the same as --nodes"},
    NYTP_ARGS_MIN_PERCENT,
    NYTP_ARGS_FILTER,
    NYTP_ARGS_PACKAGE,
    NYTP_ARGS_SOURCE,
    NYTP_ARGS_BELOW,
    {.name = "render", .kind = NYTP_ARG_WORD, .value = "FORMAT", .words = "svg pdf png", .use = NYTP_ARG_FOR_RENDERER,
     .help = "a picture by graphviz, instead of text for it"},
    {0},
};

static int write_dot(const nytp_request *r, nytp_sink *sink) {
    const nytp_arg_value *most = &r->values[r->values[TOP].given ? TOP : NODES];
    const nytp_dot dot = {.by_package = r->values[PACKAGES].given != 0, .most = (uint32_t)most->number,
                          .by_total = strcmp(r->values[SCALE].text, "total") == 0, .least = r->selection->least,
                          .selection = r->selection};
    nytp_buf out = {0};
    nytp_sink_begin(sink, NYTP_LIT(NYTP_DOT_PAGE));
    return nytp_sink_finish(sink, &out, nytp_dot_put(&out, r->profiles, &dot));
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
