/* SPDX-License-Identifier: MIT */
/* differences.c - what differs between profiles of two sides: counts first, as they are exact, then times. */
#include "terminal/differences.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "report/escape.h"
#include "report/noise.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define MOST 20  /* rows of a table */
#define NAME 200 /* characters of a sub's, and of a line's with its source */
#define TITLE 16 /* columns of a figure's name */
#define COUNT 15 /* columns, each with a blank ahead */
#define TIME 10
#define SHARE 9
#define BAND 8
#define WORD 6

typedef struct table {
    const nytp_compared *c;
    const nytp_compared_row **rows; /* what has changed */
    uint32_t n;
} table;

/* ---- cells ---- */

static void put_right(nytp_buf *out, nytp_buf *text, uint32_t width) {
    nytp_cells_right(out, nytp_page_bytes(text), width);
    nytp_buf_done(text, out);
}

/* A mean as it is shown, so that a difference is that of the numbers beside it. */
static double whole(double mean) { return (double)nytp_ticks_whole(mean); }

static void put_count(nytp_buf *out, double n, int is_change) {
    nytp_buf text = {0};
    if (is_change && n) nytp_text_put(&text, n < 0 ? "-" : "+");
    nytp_units_count(&text, nytp_ticks_whole(n < 0 ? -n : n));
    put_right(out, &text, COUNT);
}

static void put_time(nytp_buf *out, double ns, int is_change) {
    nytp_buf text = {0};
    if (is_change && ns) nytp_text_put(&text, ns < 0 ? "-" : "+");
    nytp_units_time(&text, 1e-9 * (is_change && ns < 0 ? -ns : ns));
    put_right(out, &text, TIME);
}

static void put_share(nytp_buf *out, double old, double new) {
    nytp_buf text = {0};
    double share = old > 0 ? 100 * (new - old) / old : 0;
    if (share >= 99999) nytp_text_put(&text, ">x1000");
    else if (old > 0) nytp_text_format(&text, "%+.1f%%", share);
    put_right(out, &text, SHARE);
}

/* ":17 (was 12)  $x += 1;" */
static void put_place(nytp_buf *name, const nytp_compared_row *row) {
    uint32_t old = row->lines[NYTP_COMPARED_OLD], new = row->lines[NYTP_COMPARED_NEW];
    if (!old && !new) return;
    nytp_text_around(name, ":", new ? new : old, "");
    if (old && new && old != new) nytp_text_around(name, " (was ", old, ")");
    if (row->source.n) nytp_text_put(name, "  ");
    nytp_escape_text(name, row->source);
}

static void put_name(nytp_buf *out, const nytp_compared_row *row) {
    nytp_buf name = {0};
    nytp_cells_right(out, nytp_str_c(!row->old ? "new" : !row->new ? "gone" : ""), WORD);
    nytp_text_put(out, "  ");
    nytp_escape_text(&name, row->name);
    put_place(&name, row);
    nytp_cells_cut(out, nytp_page_bytes(&name), NAME);
    nytp_buf_done(&name, out);
    nytp_text_put(out, "\n");
}

/* ---- the whole ---- */

static void put_figure(nytp_buf *out, const nytp_compared *c, const char *title, enum nytp_compared_figure figure) {
    double old = nytp_compared_total(c, NYTP_COMPARED_OLD, figure);
    double new = nytp_compared_total(c, NYTP_COMPARED_NEW, figure);
    if (figure < NYTP_COMPARED_PROFILED) old = whole(old), new = whole(new);
    const double numbers[] = {old, new, new - old};
    nytp_text_format(out, "%-*s", TITLE, title);
    for (int i = 0; i < 3; i++) {
        nytp_cells_blanks(out, figure >= NYTP_COMPARED_PROFILED ? COUNT - TIME : 0);
        if (figure >= NYTP_COMPARED_PROFILED) put_time(out, numbers[i], i == 2);
        else put_count(out, numbers[i], i == 2);
    }
    put_share(out, old, new);
    nytp_text_put(out, "\n");
}

static void put_whole(nytp_buf *out, const nytp_compared *c) {
    nytp_text_format(out, "%-*s%*s%*s%*s\n", TITLE, "", COUNT, "old", COUNT, "new", COUNT, "difference");
    if (!c->is_uncounted && !c->is_seen) put_figure(out, c, "statements", NYTP_COMPARED_STATEMENTS);
    if (!c->is_uncounted) put_figure(out, c, "calls", NYTP_COMPARED_ALL_CALLS);
    put_figure(out, c, "time profiled", NYTP_COMPARED_PROFILED);
    put_figure(out, c, "wall time", NYTP_COMPARED_ELAPSED);
}

/* ---- tables ---- */

static double mean(const table *t, const nytp_compared_row *row, int side, enum nytp_compared_value value) {
    return nytp_compared_mean(t->c, row, side, value);
}

/* 0 if memory is short. */
static int collect(table *t, const nytp_compared *c, enum nytp_compared_value value) {
    t->c = c;
    t->rows = nytp_judged_rows(c, value, &t->n);
    return t->rows != NULL;
}

static void put_more(nytp_buf *out, const table *t, uint32_t most) {
    if (!t->n) nytp_text_put(out, "(none)\n");
    if (t->n > most) nytp_text_around(out, "(", t->n - most, " more with smaller changes)\n");
}

static const char *row_word(const table *t) { return t->c->of_lines ? "line" : "sub"; }

static void put_calls(nytp_buf *out, const table *t, uint32_t most) {
    nytp_text_put(out, t->c->of_lines ? "\nSTATEMENTS CHANGED, BY LINE\n\n" : "\nCALLS CHANGED\n\n");
    if (t->c->is_uncounted) {
        nytp_text_put(out, "(not known, as a program was sampled)\n");
        return;
    }
    if (t->n) nytp_text_format(out, "%*s%*s%*s%*s  %s\n", COUNT, "old", COUNT, "new", COUNT, "difference", WORD, "",
                               row_word(t));
    for (uint32_t i = 0; i < t->n && i < most; i++) {
        const nytp_compared_row *row = t->rows[i];
        double old = whole(mean(t, row, NYTP_COMPARED_OLD, NYTP_COMPARED_CALLS));
        double new = whole(mean(t, row, NYTP_COMPARED_NEW, NYTP_COMPARED_CALLS));
        put_count(out, old, 0);
        put_count(out, new, 0);
        put_count(out, new - old, 1);
        put_name(out, row);
    }
    put_more(out, t, most);
}

static void put_times(nytp_buf *out, const table *t, const nytp_compared_row *row, enum nytp_compared_value value) {
    double old = mean(t, row, NYTP_COMPARED_OLD, value), new = mean(t, row, NYTP_COMPARED_NEW, value);
    put_time(out, old, 0);
    put_time(out, new, 0);
    put_time(out, new - old, 1);
    if (value == NYTP_COMPARED_OWN) put_share(out, old, new);
}

/* Half of the range of the side that varies more, as a share of its mean. */
static void put_band(nytp_buf *out, const table *t, const nytp_compared_row *row) {
    nytp_buf text = {0};
    nytp_text_format(&text, "\xC2\xB1%.1f%%", 100 * nytp_judged_band(t->c, row));
    put_right(out, &text, BAND);
}

static void put_sides(nytp_buf *out) { nytp_text_format(out, "%*s%*s%*s", TIME, "old", TIME, "new", TIME, "change"); }

/* Lines have no inclusive time. */
static void put_head(nytp_buf *out, const table *t, uint32_t band) {
    if (!t->c->of_lines) nytp_text_format(out, "%*s%*s\n", 3 * TIME + SHARE, "self time ",
                                          3 * TIME + (int)band, "total time");
    put_sides(out);
    nytp_cells_blanks(out, SHARE);
    if (band) nytp_text_format(out, "%*s", (int)band, "noise");
    if (!t->c->of_lines) put_sides(out);
    nytp_text_format(out, "%*s  %s\n", WORD, "", row_word(t));
}

static void put_time_rows(nytp_buf *out, const table *t, uint32_t most) {
    uint32_t band = nytp_noise_is_known(t->c->n) ? BAND : 0;
    if (t->n) put_head(out, t, band);
    for (uint32_t i = 0; i < t->n && i < most; i++) {
        put_times(out, t, t->rows[i], NYTP_COMPARED_OWN);
        if (band) put_band(out, t, t->rows[i]);
        if (!t->c->of_lines) put_times(out, t, t->rows[i], NYTP_COMPARED_WHOLE);
        put_name(out, t->rows[i]);
    }
    put_more(out, t, most);
}

static void put_time_table(nytp_buf *out, const table *t, const nytp_compared_request *r, uint32_t most) {
    nytp_text_put(out, "\nTIME CHANGED\n\n");
    nytp_judged_tell(out, r);
    nytp_text_put(out, "\n\n");
    put_time_rows(out, t, most);
}

static void put_line_times(nytp_buf *out, const table *t, uint32_t most) {
    nytp_text_put(out, "\nTIME CHANGED, BY LINE\n\n");
    if (nytp_noise_is_known(t->c->n)) put_time_rows(out, t, most);
    else nytp_text_put(out, NYTP_JUDGED_NO_LINES "\n");
}

/* 0 if memory is short. */
static int put_tables(nytp_buf *out, const nytp_compared *c, const nytp_compared_request *r) {
    table calls, times;
    uint32_t most = r->most ? r->most : MOST;
    int has_calls = collect(&calls, c, NYTP_COMPARED_CALLS), has_times = collect(&times, c, NYTP_COMPARED_OWN);
    if (has_calls) put_calls(out, &calls, most);
    if (has_times && c->of_lines) put_line_times(out, &times, most);
    else if (has_times) put_time_table(out, &times, r, most);
    free(calls.rows);
    free(times.rows);
    return has_calls && has_times;
}

int nytp_differences_write(const nytp_compared_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    put_whole(&out, r->compared);
    int is_fine = put_tables(&out, r->compared, r) && put_tables(&out, r->lines, r);
    nytp_sink_begin(sink, NYTP_LIT("diff.txt"));
    return nytp_sink_finish(sink, &out, is_fine ? NYTP_OK : NYTP_NOMEM);
}
