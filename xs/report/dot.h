/* SPDX-License-Identifier: MIT */
/* dot.h - the call graph in the language of graphviz. */
#ifndef NYTP_REPORT_DOT_H
#define NYTP_REPORT_DOT_H

#include "base/buf.h"
#include "model/profile.h"
#include "report/select.h"

#define NYTP_DOT_VERTICES 200 /* the most that a reader can make sense of */

#define NYTP_DOT_PAGE "callgraph.dot"

typedef struct nytp_dot {
    int32_t by_package;
    int32_t by_total; /* 1: sizes and colours show total time; 0: time without callees */
    uint32_t most;    /* vertices; others are one */
    int64_t least;    /* ticks of a vertex, with its callees, likewise */
    const nytp_selection *selection; /* of subs, or of packages with one of these; NULL: all */
    /* Appends the URL of a sub's page, or returns 0; NULL: no vertex has a link. */
    int (*link)(nytp_buf *out, const void *context, uint32_t sub);
    const void *context;
} nytp_dot;

/* Appends the whole graph. Returns an nytp_code. */
int nytp_dot_put(nytp_buf *out, const nytp_profile *p, const nytp_dot *dot);

#endif
