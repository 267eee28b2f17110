/* SPDX-License-Identifier: MIT */
/* compared_page.c - the HTML page of what differs between profiles of two sides: the subs whose calls have
 * changed, as counts are exact, and those whose time has. */
#include "pages/compared_page.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "pages/build_page.h"
#include "pages/difference.h"
#include "report/noise.h"
#include "report/text.h"

typedef struct table {
    const nytp_compared_request *r;
    const nytp_compared_row **rows; /* what has changed */
    uint32_t n;
} table;

typedef void put_row(nytp_buf *out, const table *t, const nytp_compared_row *row);

/* ---- rows ---- */

static double mean(const table *t, const nytp_compared_row *row, int side, enum nytp_compared_value value) {
    return nytp_compared_mean(t->r->compared, row, side, value);
}

static void put_name(nytp_buf *out, const nytp_compared_row *row) {
    nytp_text_put(out, "<td class=name>");
    nytp_build_parts_text(out, row->name);
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

#define TIMES "Exclusive|%|Old exclusive|New exclusive|"
#define TIMES_BEHIND "Inclusive|Old inclusive|New inclusive|Sub"

static void put_time_row(nytp_buf *out, const table *t, const nytp_compared_row *row) {
    double band = 100 * nytp_judged_band(t->r->compared, row);
    nytp_text_put(out, "<tr>");
    put_times(out, t, row, NYTP_COMPARED_OWN);
    if (nytp_noise_is_known(t->r->compared->n))
        nytp_text_format(out, "<td data-v=%.6f>\xC2\xB1%.1f %%", band, band);
    put_times(out, t, row, NYTP_COMPARED_WHOLE);
    put_name(out, row);
}

/* Means as they are shown, so that a difference is that of the numbers beside it. */
static void put_calls_row(nytp_buf *out, const table *t, const nytp_compared_row *row) {
    double old = (double)nytp_ticks_whole(mean(t, row, NYTP_COMPARED_OLD, NYTP_COMPARED_CALLS));
    double new = (double)nytp_ticks_whole(mean(t, row, NYTP_COMPARED_NEW, NYTP_COMPARED_CALLS));
    nytp_text_put(out, "<tr>");
    nytp_difference_change(out, new - old, 0);
    put_share(out, row, old, new);
    nytp_difference_side(out, old, 0);
    nytp_difference_side(out, new, 0);
    put_name(out, row);
}

/* ---- sections ---- */

static void put_section(nytp_buf *out, const table *t, const nytp_build_section *section, put_row *put) {
    uint32_t most = t->r->most ? t->r->most : NYTP_DIFFERENCE_MOST, shown = t->n < most ? t->n : most;
    nytp_build_parts_begin(out, section, t->n);
    for (uint32_t i = 0; i < shown; i++) put(out, t, t->rows[i]);
    nytp_build_parts_end(out, shown, t->n);
}

static int put_table(nytp_buf *out, const nytp_compared_request *r, enum nytp_compared_value value,
                     const nytp_build_section *section, put_row *put) {
    table t = {.r = r};
    t.rows = nytp_judged_rows(r->compared, value, &t.n);
    if (t.rows) put_section(out, &t, section, put);
    free(t.rows);
    return t.rows != NULL;
}

static int put_tables(nytp_buf *out, const nytp_compared_request *r) {
    nytp_buf meaning = {0};
    nytp_judged_tell(&meaning, r);
    nytp_buf_byte(&meaning, 0);
    const nytp_build_section times = {
        "times", "Time changed", meaning.failed ? "" : (const char *)meaning.p,
        nytp_noise_is_known(r->compared->n) ? TIMES "Noise|" TIMES_BEHIND : TIMES TIMES_BEHIND, "Filter subs"};
    const nytp_build_section calls = {
        "calls", "Calls changed",
        r->compared->is_uncounted ? "Not known, as a program was sampled."
                                  : "Counts are exact. Where they vary within a side, listed is what differs more.",
        "Calls|%|Old|New|Sub", "Filter subs"};
    int is_fine = put_table(out, r, NYTP_COMPARED_CALLS, &calls, put_calls_row) &&
                  put_table(out, r, NYTP_COMPARED_OWN, &times, put_time_row);
    nytp_buf_done(&meaning, out);
    return is_fine;
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
    if (!c->is_uncounted) {
        put_figure(out, c, "statements", NYTP_COMPARED_STATEMENTS);
        put_figure(out, c, "calls", NYTP_COMPARED_ALL_CALLS);
    }
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
    if (!put_tables(&page.tables, r)) page.tables.failed = 1;
    return nytp_difference_write(&page, r->version, sink);
}
