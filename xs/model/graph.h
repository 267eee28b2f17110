/* SPDX-License-Identifier: MIT */
/* graph.h - the call graph: the subs of a profile, or its packages, as vertices, and the calls between two of them as
 * one arc. */
#ifndef NYTP_MODEL_GRAPH_H
#define NYTP_MODEL_GRAPH_H

#include "model/profile.h"

typedef struct nytp_vertex {
    nytp_str name;    /* of a sub or a package; subs of one name are one vertex. Empty: of the others */
    uint32_t sub;     /* its first sub */
    int32_t is_shown; /* 1: among the weightiest, or the others */
    int64_t calls, self; /* self: exclusive time, ticks */
    int64_t weight;   /* inclusive time of calls from other vertices, or self if that is more */
} nytp_vertex;

typedef struct nytp_arc { /* between vertices that are shown */
    uint32_t from, to;
    int64_t calls, ticks; /* ticks: inclusive */
} nytp_arc;

typedef struct nytp_graph {
    nytp_arena arena;
    nytp_vertex *vertices;
    nytp_arc *arcs;
    uint32_t vertices_n, arcs_n;
    uint32_t others;  /* the vertex for all that are not shown; UINT32_MAX: there is none */
    uint32_t hidden;  /* their number */
} nytp_graph; /* all zero is an empty graph */

/* Fills an empty graph; names are borrowed from p. The `most` weightiest vertices are shown, if their weight is at
 * least `least`, and one for all others. Returns an nytp_code. */
enum nytp_code nytp_graph_build(nytp_graph *g, const nytp_profile *p, int by_package, uint32_t most, int64_t least);

void nytp_graph_free(nytp_graph *g);

#endif
