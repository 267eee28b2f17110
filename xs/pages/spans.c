/* SPDX-License-Identifier: MIT */
/* spans.c - tables of the program's spans, with quantiles and a link to the stretch of time of the longest one, and of
 * its counts. */
#include "pages/spans.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "model/named.h"
#include "model/quantile.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

#define SHOWN 25 /* rows, until a reader asks for more */

static void put_time(nytp_buf *out, uint64_t ns) {
    nytp_text_format(out, "<td data-v=%" PRIu64 ">", ns);
    nytp_units_time(out, (double)ns / NYTP_NANOSECONDS);
}

static void put_name(nytp_buf *out, nytp_str name) {
    nytp_text_put(out, "<td class=name>");
    nytp_escape_html(out, name);
    nytp_text_put(out, "</tr>\n");
}

/* The slices of the strip that the time from `at` to `end` is in, in ns; from their first bound to their last. */
static void widen(const nytp_slices *s, uint64_t *at, uint64_t *end) {
    uint64_t from = s->first, to = s->last;
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t bound = s->at[i].end;
        if (bound <= *at && bound > from) from = bound;
        if (bound >= *end && bound < to) to = bound;
    }
    *at = from;
    *end = to;
}

/* As in the strip's data: whole microseconds, rounded up. */
static double seconds(uint64_t ns) {
    uint64_t us = (ns + 999) / 1000;
    return (double)us / 1e6;
}

/* When the longest one began, with a link that selects its stretch on the strip of time. */
static void put_moment(nytp_buf *out, const nytp_html *h, const nytp_lengths *all) {
    uint64_t first = nytp_profile_first_start(h->p), at = all->began > first ? all->began - first : 0;
    uint64_t from = at, to = at + nytp_quantile_longest(all);
    widen(&h->slices, &from, &to);
    nytp_text_format(out, "<td data-v=%" PRIu64 ">", at);
    int has_link = h->slices.n && to > from;
    if (has_link) nytp_text_format(out, "<a href=\"#at=when&amp;when=%.6f-%.6f\">", seconds(from), seconds(to));
    nytp_units_time(out, (double)at / NYTP_NANOSECONDS);
    if (has_link) nytp_text_put(out, "</a>");
}

static void put_span(nytp_buf *out, const nytp_html *h, const nytp_labelled *n) {
    nytp_text_put(out, "<tr>");
    put_time(out, n->all.sum > 0 ? (uint64_t)n->all.sum : 0);
    nytp_parts_number_cell(out, n->all.count);
    put_time(out, nytp_quantile_of(&n->all, 500));
    put_time(out, nytp_quantile_of(&n->all, 900));
    put_time(out, nytp_quantile_of(&n->all, 990));
    put_time(out, nytp_quantile_longest(&n->all));
    put_moment(out, h, &n->all);
    put_name(out, n->name);
}

static void put_count(nytp_buf *out, const nytp_html *h, const nytp_labelled *n) {
    (void)h;
    nytp_text_put(out, "<tr>");
    nytp_parts_number_cell(out, n->all.sum);
    nytp_parts_number_cell(out, n->all.count);
    put_name(out, n->name);
}

typedef struct table {
    enum nytp_label_of of;
    const char *id, *title, *about, *heads;
    void (*put_row)(nytp_buf *out, const nytp_html *h, const nytp_labelled *n);
} table;

static int put_table(nytp_buf *out, const nytp_html *h, const table *t) {
    uint32_t n;
    const nytp_labelled **all = nytp_named_order(h->p, t->of, &n);
    if (!all) return NYTP_NOMEM;
    if (n) nytp_text_format(out, "<section aria-labelledby=%s><h2 id=%s>%s</h2><p class=muted>%s</p>", t->id, t->id,
                            t->title, t->about);
    if (n) nytp_text_format(out, "<div class=scroll tabindex=0 role=region aria-label=\"Table of %s\"><table "
                            "class=sort data-most=%d data-filter=\"Filter %s\"><thead><tr>%s<th scope=col "
                            "class=name>Name<tbody>\n", t->id, SHOWN, t->id, t->heads);
    for (uint32_t i = 0; i < n; i++) t->put_row(out, h, all[i]);
    if (n) nytp_text_put(out, "</table></div></section>");
    free(all);
    return NYTP_OK;
}

int nytp_pages_spans_put(nytp_buf *out, const nytp_html *h) {
    static const table tables[] = {
        {NYTP_LABEL_SPAN, "spans", "Spans", "Stretches of time that the program has given names to. A link selects the "
         "longest one on the strip of time, with its calls and subs.",
         "<th scope=col aria-sort=descending>Total<th scope=col>Spans<th scope=col>p50<th scope=col>p90"
         "<th scope=col>p99<th scope=col>Longest<th scope=col>At", put_span},
        {NYTP_LABEL_COUNT, "counts", "Counts", "Sums that the program has given names to.",
         "<th scope=col aria-sort=descending>Sum<th scope=col>Counted", put_count},
    };
    int code = NYTP_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !code; i++) code = put_table(out, h, &tables[i]);
    return code;
}
