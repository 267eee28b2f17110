/* SPDX-License-Identifier: MIT */
/* spans.c - tables of the program's spans, with quantiles and a link to the stretch of time of the longest one, and of
 * its counts; with pictures of how many there were over the time of the run. */
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

#define SHOWN 25     /* rows, until a reader asks for more */
#define PICTURES 200 /* the most, of the first rows, as each has some 300 bytes */
#define COLUMNS 40   /* of a picture */
#define COLUMN 2     /* px of width */
#define HEIGHT 14    /* px */

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

/* ---- pictures ---- */

/* Adds what was counted in a stretch to the columns that it is in, in equal parts of its time. */
static void add_stretch(double columns[COLUMNS], const nytp_slices *s, const nytp_stretch *t, double value) {
    double width = (double)(s->last - s->first) / COLUMNS, length = (double)(t->end - t->begin);
    for (int k = 0; k < COLUMNS; k++) {
        double from = (double)s->first + k * width, to = from + width, begin = (double)t->begin, end = (double)t->end;
        double shared = (end < to ? end : to) - (begin > from ? begin : from);
        if (shared > 0 && length > 0) columns[k] += value * shared / length;
    }
}

/* The columns of the first rows, for the caller to free. NULL: memory is short. */
static double (*columns_of(const nytp_html *h, const nytp_labelled *const *rows, uint32_t n))[COLUMNS] {
    const nytp_profile *p = h->p;
    double (*columns)[COLUMNS] = calloc((size_t)n + 1, sizeof *columns);
    uint32_t *row_of = calloc(p->named_n + (size_t)1, sizeof *row_of); /* from 1 */
    if (columns && row_of) {
        for (uint32_t i = 0; i < n; i++) row_of[rows[i] - p->named] = i + 1;
        for (uint32_t i = 0; i < p->of_named.n; i++) {
            const nytp_spent *spent = &p->of_named.at[i];
            uint32_t row = row_of[spent->of];
            if (row) add_stretch(columns[row - 1], &h->slices, &p->stretches[spent->stretch], (double)spent->value);
        }
    }
    int has_memory = row_of != NULL;
    free(row_of);
    if (has_memory) return columns;
    free(columns);
    return NULL;
}

/* Rows are sorted by the column that has the most. */
static void put_picture(nytp_buf *out, const nytp_html *h, const double columns[COLUMNS]) {
    int most = 0;
    double before = 0;
    for (int k = 1; k < COLUMNS; k++) most = columns[k] > columns[most] ? k : most;
    nytp_text_format(out, "<td data-v=%d>", most);
    if (!(columns[most] > 0)) return;
    nytp_text_format(out, "<svg class=times role=img width=%d height=%d aria-label=\"Most at ", COLUMNS * COLUMN,
                     HEIGHT);
    nytp_units_time(out, (double)(h->slices.last - h->slices.first) * most / COLUMNS / NYTP_NANOSECONDS);
    nytp_text_format(out, "\"><path d=\"M0 %d", HEIGHT);
    for (int k = 0; k < COLUMNS; k++) {
        double exact = columns[k] > 0 ? HEIGHT * columns[k] / columns[most] : 0, high = (int)(10 * exact + 0.9) / 10.0;
        if (high > before || high < before) nytp_text_format(out, "v%.1f", before - high);
        nytp_text_format(out, "h%d", COLUMN);
        before = high;
    }
    nytp_text_format(out, "V%dz\"/></svg>", HEIGHT);
}

/* ---- tables ---- */

static void put_span(nytp_buf *out, const nytp_html *h, const nytp_labelled *n) {
    nytp_text_put(out, "<tr>");
    put_time(out, n->all.sum > 0 ? (uint64_t)n->all.sum : 0);
    nytp_parts_number_cell(out, n->all.count);
    put_time(out, nytp_quantile_of(&n->all, 500));
    put_time(out, nytp_quantile_of(&n->all, 900));
    put_time(out, nytp_quantile_of(&n->all, 990));
    put_time(out, nytp_quantile_longest(&n->all));
    put_moment(out, h, &n->all);
}

static void put_count(nytp_buf *out, const nytp_html *h, const nytp_labelled *n) {
    (void)h;
    nytp_text_put(out, "<tr>");
    nytp_parts_number_cell(out, n->all.sum);
    nytp_parts_number_cell(out, n->all.count);
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
    uint32_t pictures = !h->slices.n ? 0 : n < PICTURES ? n : PICTURES;
    double (*columns)[COLUMNS] = columns_of(h, all, pictures);
    if (!columns) {
        free(all);
        return NYTP_NOMEM;
    }
    if (n) nytp_text_format(out, "<section aria-labelledby=%s><h2 id=%s>%s</h2><p class=muted>%s</p>", t->id, t->id,
                            t->title, t->about);
    if (n) nytp_text_format(out, "<div class=scroll tabindex=0 role=region aria-label=\"Table of %s\"><table "
                            "class=sort data-most=%d data-filter=\"Filter %s\"><thead><tr>%s%s<th scope=col "
                            "class=name>Name<tbody>\n", t->id, SHOWN, t->id, t->heads,
                            h->slices.n ? "<th scope=col>Over time" : "");
    for (uint32_t i = 0; i < n; i++) {
        t->put_row(out, h, all[i]);
        if (i < pictures) put_picture(out, h, columns[i]);
        else if (h->slices.n) nytp_text_put(out, "<td>");
        put_name(out, all[i]->name);
    }
    if (n) nytp_text_put(out, "</table></div></section>");
    free(columns);
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
