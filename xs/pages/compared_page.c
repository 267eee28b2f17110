/* SPDX-License-Identifier: MIT */
/* compared_page.c - the HTML page of what differs between profiles of two sides: the subs whose calls have
 * changed, as counts are exact, those whose time has, and the same of lines. */
#include "pages/compared_page.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "pages/build_page.h"
#include "pages/difference.h"
#include "pages/exports.h"
#include "pages/parts.h"
#include "report/names.h"
#include "report/noise.h"
#include "report/quoted.h"
#include "report/text.h"

typedef struct table {
    const nytp_compared *c;         /* its subs or its lines */
    const nytp_html *h;             /* the report that rows have links to; NULL: none */
    const nytp_compared_row **rows; /* what has changed */
    uint32_t n, shown;
    uint32_t *of;                   /* by shown row: the sub or file of the report; NONE */
} table;

#define NONE UINT32_MAX

typedef void put_row(nytp_buf *out, const table *t, uint32_t i);

/* ---- links ---- */

/* Rows of this name are of the report's sub or file of this number. */
static void link_rows(const table *t, nytp_str name, uint32_t number) {
    for (uint32_t i = 0; i < t->shown; i++)
        if (t->of[i] == NONE && t->rows[i]->new && nytp_str_eq(t->rows[i]->name, name)) t->of[i] = number;
}

static void link_subs(const table *t, nytp_buf *shown, nytp_buf *name) {
    for (uint32_t i = 0; i < t->h->p->subs_n; i++) {
        nytp_buf_rewind(name);
        nytp_compared_name(name, nytp_names_shown(shown, t->h->p, &t->h->p->subs[i]));
        link_rows(t, nytp_page_bytes(name), i);
    }
}

static void link_files(const table *t, nytp_buf *name) {
    for (uint32_t i = 1; i < t->h->p->files_n; i++) {
        nytp_buf_rewind(name);
        nytp_names_file(name, t->h->p, &t->h->p->files[i]);
        link_rows(t, nytp_page_bytes(name), i);
    }
}

/* 0 if memory is short. */
static int find_links(table *t) {
    nytp_buf shown = {0}, name = {0};
    t->of = malloc((t->shown + (size_t)1) * sizeof *t->of);
    for (uint32_t i = 0; t->of && i < t->shown; i++) t->of[i] = NONE;
    if (t->of && t->h && t->c->of_lines) link_files(t, &name);
    else if (t->of && t->h) link_subs(t, &shown, &name);
    int is_fine = t->of && !shown.failed && !name.failed;
    nytp_buf_free(&shown);
    nytp_buf_free(&name);
    return is_fine;
}

/* Begins a link. 0: the row has none. */
static int put_href(nytp_buf *out, const table *t, uint32_t i) {
    if (t->of[i] == NONE) return 0;
    if (t->c->of_lines) return nytp_parts_line_href(out, t->h, t->of[i], t->rows[i]->lines[NYTP_COMPARED_NEW]);
    return nytp_parts_sub_href(out, t->h, t->of[i]);
}

/* ---- rows ---- */

static double mean(const table *t, const nytp_compared_row *row, int side, enum nytp_compared_value value) {
    return nytp_compared_mean(t->c, row, side, value);
}

/* Of a line: the old number and its text. */
static void put_source(nytp_buf *out, const nytp_compared_row *row) {
    uint32_t old = row->lines[NYTP_COMPARED_OLD], new = row->lines[NYTP_COMPARED_NEW];
    if (old && new && old != new) nytp_text_around(out, "<span class=hint>was ", old, "</span>");
    nytp_text_put(out, " <code>");
    nytp_build_parts_text(out, row->source);
    nytp_text_put(out, "</code>");
}

static void put_name(nytp_buf *out, const table *t, uint32_t i) {
    const nytp_compared_row *row = t->rows[i];
    uint32_t line = row->lines[row->new ? NYTP_COMPARED_NEW : NYTP_COMPARED_OLD];
    nytp_text_put(out, "<td class=name>");
    int is_linked = put_href(out, t, i);
    nytp_build_parts_text(out, row->name);
    if (t->c->of_lines) nytp_text_around(out, ":", line, "");
    if (is_linked) nytp_text_put(out, "</a>");
    if (t->c->of_lines) put_source(out, row);
    nytp_text_put(out, "</tr>\n");
}

static void put_share(nytp_buf *out, const nytp_compared_row *row, double old, double new) {
    if (!row->old) nytp_difference_lone(out, NYTP_COMPARED_NEW);
    else if (!row->new) nytp_difference_lone(out, NYTP_COMPARED_OLD);
    else nytp_difference_share(out, old, new);
}

static void put_times(nytp_buf *out, const table *t, const nytp_compared_row *row, enum nytp_compared_value value) {
    double old = 1e-9 * mean(t, row, NYTP_COMPARED_OLD, value), new = 1e-9 * mean(t, row, NYTP_COMPARED_NEW, value);
    nytp_difference_change(out, new - old, 1);
    if (value == NYTP_COMPARED_OWN) put_share(out, row, old, new);
    nytp_difference_side(out, old, 1);
    nytp_difference_side(out, new, 1);
}

#define TIMES "Self|%|Old self|New self|"
#define TIMES_BEHIND "Total|Old total|New total|Sub"

static void put_time_row(nytp_buf *out, const table *t, uint32_t i) {
    const nytp_compared_row *row = t->rows[i];
    double band = 100 * nytp_judged_band(t->c, row);
    nytp_text_put(out, "<tr>");
    put_times(out, t, row, NYTP_COMPARED_OWN);
    if (nytp_noise_is_known(t->c->n))
        nytp_text_format(out, "<td data-v=%.6f>\xC2\xB1%.1f %%", band, band);
    if (!t->c->of_lines) put_times(out, t, row, NYTP_COMPARED_WHOLE);
    put_name(out, t, i);
}

/* Means as they are shown, so that a difference is that of the numbers beside it. */
static void put_calls_row(nytp_buf *out, const table *t, uint32_t i) {
    const nytp_compared_row *row = t->rows[i];
    double old = (double)nytp_ticks_whole(mean(t, row, NYTP_COMPARED_OLD, NYTP_COMPARED_CALLS));
    double new = (double)nytp_ticks_whole(mean(t, row, NYTP_COMPARED_NEW, NYTP_COMPARED_CALLS));
    nytp_text_put(out, "<tr>");
    nytp_difference_change(out, new - old, 0);
    put_share(out, row, old, new);
    nytp_difference_side(out, old, 0);
    nytp_difference_side(out, new, 0);
    put_name(out, t, i);
}

/* ---- sections ---- */

static void put_section(nytp_buf *out, const table *t, const nytp_build_section *section, put_row *put) {
    nytp_build_parts_begin(out, section, t->n);
    for (uint32_t i = 0; i < t->shown; i++) put(out, t, i);
    nytp_build_parts_end(out, t->shown, t->n);
}

/* What tables are made of. */
typedef struct input {
    const nytp_compared_request *r;
    const nytp_html *h; /* or NULL */
    uint32_t most;      /* rows */
} input;

static int put_table(nytp_buf *out, const input *in, const nytp_compared *c, enum nytp_compared_value value,
                     const nytp_build_section *section) {
    table t = {.c = c, .h = in->h};
    t.rows = nytp_judged_rows(c, value, &t.n);
    t.shown = t.n < in->most ? t.n : in->most;
    int is_fine = t.rows && find_links(&t);
    if (is_fine) put_section(out, &t, section, value == NYTP_COMPARED_CALLS ? put_calls_row : put_time_row);
    free(t.rows);
    free(t.of);
    return is_fine;
}

static int put_calls(nytp_buf *out, const input *in, const nytp_compared *c) {
    const char *meaning = c->is_uncounted ? "Not known, as a program was sampled."
                                          : "Counts are exact. Where they vary within a side, listed is what differs "
                                            "more.";
    const nytp_build_section subs = {"calls", "Calls changed", meaning, "Calls|%|Old|New|Sub", "Filter subs"};
    const nytp_build_section lines = {"statements", "Statements changed, by line", meaning,
                                      "Statements|%|Old|New|Line", "Filter lines"};
    return put_table(out, in, c, NYTP_COMPARED_CALLS, c->of_lines ? &lines : &subs);
}

static int put_times_of_subs(nytp_buf *out, const input *in) {
    nytp_buf meaning = {0};
    nytp_judged_tell(&meaning, in->r);
    nytp_buf_byte(&meaning, 0);
    const nytp_build_section times = {
        "times", "Time changed", meaning.failed ? "" : (const char *)meaning.p,
        nytp_noise_is_known(in->r->compared->n) ? TIMES "Noise|" TIMES_BEHIND : TIMES TIMES_BEHIND, "Filter subs"};
    int is_fine = put_table(out, in, in->r->compared, NYTP_COMPARED_OWN, &times);
    nytp_buf_done(&meaning, out);
    return is_fine;
}

static int put_times_of_lines(nytp_buf *out, const input *in) {
    int is_known = nytp_noise_is_known(in->r->lines->n);
    const nytp_build_section times = {
        "line-times", "Time changed, by line", is_known ? "Without what a line has called." : NYTP_JUDGED_NO_LINES,
        is_known ? "Time|%|Old|New|Noise|Line" : "Time|%|Old|New|Line", "Filter lines"};
    return put_table(out, in, in->r->lines, NYTP_COMPARED_OWN, &times);
}

static int put_tables(nytp_buf *out, const input *in) {
    return put_calls(out, in, in->r->compared) && put_times_of_subs(out, in) && put_calls(out, in, in->r->lines) &&
           put_times_of_lines(out, in);
}

/* ---- the whole ---- */

static void put_figure(nytp_buf *out, const nytp_compared *c, const char *title, enum nytp_compared_figure figure) {
    double sides[2];
    int is_time = figure >= NYTP_COMPARED_PROFILED;
    for (int i = 0; i < 2; i++) {
        sides[i] = nytp_compared_total(c, i, figure);
        sides[i] = is_time ? 1e-9 * sides[i] : (double)nytp_ticks_whole(sides[i]);
    }
    nytp_difference_figure(out, title, sides[NYTP_COMPARED_OLD], sides[NYTP_COMPARED_NEW], is_time);
}

static void put_figures(nytp_buf *out, const nytp_compared *c) {
    if (!c->is_uncounted && !c->is_seen) put_figure(out, c, "statements", NYTP_COMPARED_STATEMENTS);
    if (!c->is_uncounted) put_figure(out, c, "calls", NYTP_COMPARED_ALL_CALLS);
    put_figure(out, c, "time profiled", NYTP_COMPARED_PROFILED);
    put_figure(out, c, "wall time", NYTP_COMPARED_ELAPSED);
}

static void put_names(nytp_buf *out, const char *const *names, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        nytp_text_put(out, i ? ", <code>" : "<code>");
        nytp_build_parts_text(out, nytp_str_c(names[i]));
        nytp_text_put(out, "</code>");
    }
}

int nytp_compared_page_write(const nytp_compared_request *r, nytp_sink *sink) {
    const nytp_compared *c = r->compared;
    nytp_difference_page page = {.title = "Profiles compared"};
    put_names(&page.old, r->names, c->n[NYTP_COMPARED_OLD]);
    put_names(&page.new, r->names + c->n[NYTP_COMPARED_OLD], c->n[NYTP_COMPARED_NEW]);
    put_figures(&page.figures, c);
    const input in = {r, NULL, r->most ? r->most : NYTP_DIFFERENCE_MOST};
    if (!put_tables(&page.tables, &in)) page.tables.failed = 1;
    return nytp_difference_write(&page, r->version, sink);
}

/* ---- in a report ---- */

#define FEW 10 /* rows */

/* Without times of lines, as noise is not known. */
int nytp_compared_page_put(nytp_buf *out, const nytp_html *h) {
    if (!h->base) return NYTP_OK;
    const input in = {h->base, h, FEW};
    nytp_text_put(out, "<section aria-labelledby=changed><h2 id=changed>Changed since ");
    put_names(out, h->base->names, 1);
    nytp_text_put(out, "</h2><p class=muted>All changes: <code>nytprof diff --format html -o diff.html ");
    nytp_quoted_html(out, nytp_str_c(h->base->names[NYTP_COMPARED_OLD]));
    nytp_text_put(out, " ");
    nytp_exports_files(out, h->p);
    nytp_text_put(out, "</code></p><div class=scroll tabindex=0 role=region aria-label=\"Table: The whole\"><table "
                       "class=sort><thead><tr><th scope=col>Old<th scope=col>New<th scope=col>Change<th scope=col>%<th "
                       "scope=col class=name>Of<tbody>\n");
    put_figures(out, h->base->compared);
    nytp_text_put(out, "</table></div></section>\n");
    return put_calls(out, &in, h->base->compared) && put_times_of_subs(out, &in) &&
           put_calls(out, &in, h->base->lines) ? NYTP_OK : NYTP_NOMEM;
}
