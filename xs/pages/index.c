/* SPDX-License-Identifier: MIT */
/* index.c - the first page, and the list of all files. */
#include "pages/pages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "model/order.h"
#include "pages/compared_page.h"
#include "pages/exports.h"
#include "pages/findings.h"
#include "pages/icicle.h"
#include "pages/latency.h"
#include "pages/lines.h"
#include "pages/loading.h"
#include "pages/parts.h"
#include "pages/run.h"
#include "pages/spans.h"
#include "pages/strip.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

#define TOP 50        /* subs in the table without scripts */
#define TOP_FILES 60 /* files likewise */

static void put_notes(nytp_buf *out, const nytp_html *h) {
    if (!h->p->notes_n) return;
    nytp_text_put(out, "<div class=notes role=note>");
    for (uint32_t i = 0; i < h->p->notes_n; i++) {
        nytp_text_put(out, "<p>");
        nytp_escape_html(out, h->p->notes[i]);
        nytp_text_put(out, "</p>");
    }
    nytp_text_put(out, "</div>");
}

static int put_subs(nytp_buf *out, const nytp_html *h, enum nytp_order by, uint32_t most, uint32_t *n) {
    uint32_t *order = nytp_order_subs(h->p, by, n);
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 0; i < *n && i < most; i++) nytp_parts_sub_row(out, h, order[i]);
    free(order);
    return NYTP_OK;
}

static void put_file_row(nytp_buf *out, const nytp_html *h, uint32_t file) {
    const nytp_file *f = &h->p->files[file];
    int64_t ticks = nytp_profile_told(f->ticks, f->spread);
    int heat = nytp_order_heat(ticks, h->p->totals.whole);
    nytp_text_put(out, "<tr><td>");
    nytp_parts_count(out, h, f->count);
    nytp_text_format(out, heat ? "<td class=h%d" : "<td", heat);
    nytp_text_format(out, " data-v=%" PRId64 ">", ticks);
    nytp_parts_time(out, h, ticks);
    nytp_text_put(out, "<td>");
    nytp_parts_share(out, h, ticks);
    nytp_parts_number_cell(out, f->subs.n);
    nytp_text_put(out, "<td>");
    if (f->evals.n) nytp_units_count(out, f->evals.n);
    nytp_text_put(out, "<td class=name>");
    nytp_parts_file_link(out, h, file);
    if (f->merged > 1) nytp_text_format(out, "<span class=hint>%" PRIu32 " %s</span>", f->merged,
                                        h->languages[f->process].evals);
    nytp_text_put(out, "</tr>\n");
}

static int put_files(nytp_buf *out, const nytp_html *h, uint32_t most, uint32_t *n) {
    uint32_t *order = nytp_order_files(h->p, n);
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 0; i < *n && i < most; i++) put_file_row(out, h, order[i]);
    free(order);
    return NYTP_OK;
}

static void put_files_total(nytp_buf *out, const nytp_html *h) {
    const nytp_totals *t = &h->p->totals;
    nytp_text_put(out, "<tr><td>");
    nytp_parts_count(out, h, t->statements);
    nytp_text_put(out, "<td>");
    nytp_parts_time(out, h, t->ticks);
    nytp_text_put(out, "<td><td><td><td class=name>Total of ");
    nytp_parts_plural(out, t->files, "file", "files");
    nytp_text_put(out, " and ");
    nytp_parts_plural(out, t->eval_pages, "page of ", "pages of ");
    nytp_text_put(out, h->words->evals);
    nytp_text_put(out, "</tr>\n");
}

/* A still picture of the call tree, which the script replaces by one with zoom and search. */
static void put_flame(nytp_buf *out, const nytp_html *h) {
    if (h->options->no_flame) return;
    const nytp_metric *metric = nytp_icicle_metric(h);
    nytp_text_put(out, "<section aria-labelledby=flame><h2 id=flame>");
    if (metric) nytp_escape_html(out, metric->title);
    else nytp_text_put(out, "Where the time goes");
    nytp_text_format(out, "</h2><p class=muted>Every %s as wide as its share, with that of what it called, under its "
                       "caller.", h->words->sub);
    if (!h->options->single)
        nytp_text_put(out, " The same <a href=\"" NYTP_PAGES_FLAME "\">as a flame graph</a>, standing on its callers.");
    if (!h->options->single && !h->options->no_graphs)
        nytp_text_format(out, " For graphviz: who calls whom, <a href=\"%s\">by %s</a> and <a href=\"%s\">by %s</a>.",
                         NYTP_PAGES_SUBS, h->words->sub, NYTP_PAGES_PACKAGES, h->words->package);
    nytp_text_put(out, "</p><div id=view>");
    nytp_icicle_put(out, h);
    nytp_text_put(out, "</div></section>");
}

/* How the numbers come about. */
static void put_measured(nytp_buf *out, const nytp_html *h) {
    nytp_str clock = h->p->processes_n ? h->p->processes[0].clock : nytp_str_c(NULL);
    nytp_text_put(out, "Times are read from the clock ");
    nytp_escape_html(out, clock.n ? clock : NYTP_LIT("(unknown)"));
    nytp_text_put(out, " (");
    nytp_units_count(out, (int64_t)(h->p->ticks_per_second & INT64_MAX));
    nytp_text_put(out, " ticks a second) at every ");
    nytp_text_format(out, h->p->is_uncounted ? "sample" : h->p->is_seen ? "call" : "%s and call", h->words->unit);
    nytp_text_put(out, "; percentages are of the ");
    nytp_parts_time(out, h, h->p->totals.whole);
    nytp_text_put(out, " profiled. Colour is the share of the run: from 0.03 %, 0.1 %, 0.4 %, 1.5 %, 5 %, 15 % and "
                       "50 %. Made by Devel::NYTProf ");
    nytp_escape_html(out, nytp_str_c(h->version));
    nytp_buf_byte(out, '.');
}

/* The page with all files, where the index has only the first. */
static int put_all_files(nytp_html *h) {
    nytp_buf files = {0}, total = {0};
    uint32_t n;
    int code = put_files(&files, h, UINT32_MAX, &n);
    put_files_total(&total, h);
    if (files.failed || total.failed) code = NYTP_NOMEM;
    const nytp_hole holes[] = {
        {"program", h->program}, {"files", nytp_page_bytes(&files)}, {"total", nytp_page_bytes(&total)},
    };
    size_t n_holes = sizeof holes / sizeof *holes;
    if (!code) code = nytp_parts_page(h, NYTP_LIT("index-files.html"), "files.html", holes, n_holes);
    nytp_buf_free(&files);
    nytp_buf_free(&total);
    return code;
}

static void put_files_heading(nytp_buf *out, const nytp_html *h, uint32_t n) {
    if (n > TOP_FILES) nytp_text_format(out, "<span class=few>The %d most expensive of </span>", TOP_FILES);
    nytp_parts_plural(out, n, "file or ", "files and ");
    nytp_text_put(out, n == 1 ? h->words->eval : h->words->evals);
}

static void put_subs_heading(nytp_buf *out, const nytp_html *h, uint32_t n) {
    if (n > TOP) nytp_text_format(out, "<span class=few>The %d most expensive of </span>", TOP);
    nytp_parts_plural(out, h->p->totals.subs, h->words->sub, h->words->subs);
}

/* Two sections: what is found has a part of the times of loading. */
static int put_loading(nytp_buf *findings, nytp_buf *loading, const nytp_html *h) {
    nytp_loading l = {0};
    int code = nytp_loading_find(&l, h->p);
    if (!code) nytp_pages_findings_put(findings, h, &l);
    if (!code) nytp_pages_loading_put(loading, h, &l);
    nytp_loading_free(&l);
    return code;
}

int nytp_index_write(nytp_html *h) {
    enum {
        NAME, RUN, TOOK, WHEN, FIGURES, SUMMARY, NOTES, CHANGED, FINDINGS, FLAME, LINES, GROWTH, SUBS_HEADING,
        QUANTILES, SUBS, FILES_HEADING, FILES, ALL_FILES, TOTAL, SPANS, LOADING, PROCESSES, EXPORTS, MEASURED, HOLES
    };
    static const char *const names[] = {"name", "run", "took", "when", "figures", "summary", "notes", "changed",
                                        "findings", "flame", "lines", "growth", "subs_heading", "quantiles", "subs",
                                        "files_heading", "files", "all_files", "files_total", "spans", "loading",
                                        "processes", "exports", "measured"};
    nytp_buf text[HOLES] = {{0}};
    nytp_hole holes[HOLES + 4] = {{0}};
    uint32_t subs = 0, files = 0;
    nytp_run_name(&text[NAME], h);
    nytp_run_when(&text[RUN], h);
    nytp_pages_strip_bar(&text[TOOK], h, &h->slices);
    int code = nytp_pages_strip_put(&text[WHEN], h, &h->slices);
    nytp_run_figures(&text[FIGURES], h);
    nytp_run_summary(&text[SUMMARY], h);
    put_notes(&text[NOTES], h);
    if (!code) code = nytp_compared_page_put(&text[CHANGED], h);
    if (!code) code = put_loading(&text[FINDINGS], &text[LOADING], h);
    put_flame(&text[FLAME], h);
    if (!code) code = nytp_pages_lines_put(&text[LINES], h);
    if (!code) code = nytp_pages_lines_growth_put(&text[GROWTH], h);
    if (!code) code = put_subs(&text[SUBS], h, NYTP_ORDER_EXCLUSIVE, TOP, &subs);
    put_subs_heading(&text[SUBS_HEADING], h, subs);
    nytp_pages_latency_heads(&text[QUANTILES], h);
    if (!code) code = put_files(&text[FILES], h, TOP_FILES, &files);
    put_files_heading(&text[FILES_HEADING], h, files);
    int has_more = files > TOP_FILES && !h->options->single;
    if (has_more) nytp_text_put(&text[ALL_FILES], " <a id=all-files href=\"index-files.html\">All of them.</a>");
    if (!code && has_more) code = put_all_files(h);
    put_files_total(&text[TOTAL], h);
    if (!code) code = nytp_pages_spans_put(&text[SPANS], h);
    nytp_run_processes(&text[PROCESSES], h);
    nytp_exports_put(&text[EXPORTS], h);
    put_measured(&text[MEASURED], h);
    for (int i = 0; i < HOLES; i++) {
        holes[i] = (nytp_hole){names[i], nytp_page_bytes(&text[i])};
        if (text[i].failed) code = NYTP_NOMEM;
    }
    holes[HOLES] = (nytp_hole){"program", h->program};
    holes[HOLES + 1] = (nytp_hole){"head", h->head};
    holes[HOLES + 2] = (nytp_hole){"tail", h->tail};
    holes[HOLES + 3] = (nytp_hole){"policy", h->policy};
    if (!code) code = nytp_parts_page(h, NYTP_LIT("index.html"), "index.html", holes, HOLES + 4);
    for (int i = 0; i < HOLES; i++) nytp_buf_free(&text[i]);
    return code;
}
