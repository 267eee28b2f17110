/* SPDX-License-Identifier: MIT */
/* lines.c - sections of the index: the hottest lines, and those that grow, with their source. */
#include "pages/lines.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "model/metrics.h"
#include "model/order.h"
#include "model/source.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/text.h"

#define MOST 50     /* rows */
#define SHOWN 15    /* of them, until a reader asks for more */
#define LETTERS 160 /* bytes of source in a row */

static void put_source(nytp_buf *out, nytp_str text) {
    size_t n = text.n > LETTERS ? nytp_utf8_cut(text.p, LETTERS) : text.n;
    nytp_text_put(out, "<td class=snippet><code>");
    nytp_escape_html(out, (nytp_str){text.p, n});
    nytp_text_put(out, n < text.n ? "…</code>" : "</code>");
}

/* The count of runs, the line's name and its source. */
static void put_line(nytp_buf *out, const nytp_html *h, uint32_t file, const nytp_line *l) {
    nytp_text_put(out, "<td>");
    nytp_parts_count(out, h, l->count);
    nytp_text_put(out, "<td class=name>");
    int is_linked = nytp_parts_line_href(out, h, file, l->line);
    nytp_parts_line_name(out, h, file, l->line);
    if (is_linked) nytp_text_put(out, "</a>");
    put_source(out, nytp_source_text(h->p, &h->p->files[file], l->line));
    nytp_text_put(out, "</tr>\n");
}

static void put_row(nytp_buf *out, const nytp_html *h, const nytp_order_line *l) {
    int64_t ticks = nytp_profile_told(l->line->ticks, l->line->spread);
    nytp_text_put(out, "<tr>");
    nytp_parts_heat_cell(out, h, ticks);
    nytp_text_put(out, "<td>");
    nytp_parts_share(out, h, ticks);
    put_line(out, h, l->file, l->line);
}

static void put_table(nytp_buf *out, const nytp_html *h, const nytp_order_line *lines, uint32_t n) {
    nytp_text_put(out, "<section aria-labelledby=lines><h2 id=lines>The hottest lines</h2><p class=muted>A line's "
                       "self time, with that of built-ins and C code that it calls.</p>");
    nytp_text_format(out, "<div class=scroll tabindex=0 role=region aria-label=\"Hottest lines\"><table class=\"sort "
                     "lines\" data-most=%d data-filter=\"Filter lines\"><thead><tr><th scope=col "
                     "aria-sort=descending>Time<th scope=col>%%<th scope=col>%s<th scope=col class=name>Line"
                     "<th scope=col class=snippet>Source<tbody>\n", SHOWN, h->words->Statements);
    for (uint32_t i = 0; i < n && i < MOST; i++) put_row(out, h, &lines[i]);
    nytp_text_put(out, "</table></div></section>\n");
}

int nytp_pages_lines_put(nytp_buf *out, const nytp_html *h) {
    uint32_t n;
    nytp_order_line *lines = nytp_order_hot_lines(h->p, &n);
    if (!lines) return NYTP_NOMEM;
    if (n) put_table(out, h, lines, n);
    free(lines);
    return NYTP_OK;
}

/* ---- growth ---- */

static void put_amount(nytp_buf *out, const nytp_metric *m, int64_t value) {
    nytp_text_format(out, "<td data-v=%" PRId64 ">", value);
    nytp_shown_value(out, m, value);
}

static void put_growing(nytp_buf *out, const nytp_html *h, nytp_metrics_pair of, const nytp_order_line *found,
                        uint32_t n) {
    const nytp_metric *made = &h->p->metrics[of.made], *freed = &h->p->metrics[of.freed];
    nytp_text_put(out, "<section aria-labelledby=growth><h2 id=growth>Growth by line</h2><p class=muted>What a line "
                       "has made and not freed. Leaks and caches are at the top, but so is what other lines free "
                       "later.</p><div class=scroll tabindex=0 role=region aria-label=\"Table of growth\">"
                       "<table class=\"sort lines\" data-filter=\"Filter lines\"");
    nytp_text_format(out, " data-most=%d><thead><tr><th scope=col aria-sort=descending>Growth<th scope=col>", SHOWN);
    nytp_shown_heading(out, made);
    nytp_text_put(out, "<th scope=col>");
    nytp_shown_heading(out, freed);
    nytp_text_format(out, "<th scope=col>%s<th scope=col class=name>Line<th scope=col class=snippet>Source<tbody>\n",
                     h->words->Statements);
    for (uint32_t i = 0; i < n && i < MOST; i++) {
        nytp_text_put(out, "<tr>");
        put_amount(out, made, found[i].growth);
        put_amount(out, made, nytp_metrics_get(h->p, of.made, found[i].line->values));
        put_amount(out, freed, nytp_metrics_get(h->p, of.freed, found[i].line->values));
        put_line(out, h, found[i].file, found[i].line);
    }
    nytp_text_put(out, "</table></div></section>\n");
}

static int is_shown(const nytp_shown *s, uint32_t metric) {
    uint32_t i = 0;
    while (i < s->n && s->at[i] != metric) i++;
    return i < s->n;
}

int nytp_pages_lines_growth_put(nytp_buf *out, const nytp_html *h) {
    nytp_metrics_pair of = nytp_metrics_growth(h->p);
    if (!is_shown(&h->of_lines, of.made) || !is_shown(&h->of_lines, of.freed)) return NYTP_OK;
    uint32_t n;
    nytp_order_line *found = nytp_order_growing_lines(h->p, of, &n);
    if (!found) return NYTP_NOMEM;
    if (n) put_growing(out, h, of, found, n);
    free(found);
    return NYTP_OK;
}
