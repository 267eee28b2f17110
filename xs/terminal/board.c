/* SPDX-License-Identifier: MIT */
/* board.c - the live table: a title, what the time went into, rows, the source of the chosen row, and the keys. */
#include "terminal/board.h"

#include <string.h>

#include "base/ticks.h"
#include "model/metrics.h"
#include "model/order.h"
#include "model/source.h"
#include "report/page.h"
#include "report/shown.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define HEAD 3      /* lines above the rows: title, sums, headings */
#define SHARE 8     /* columns of a percentage */
#define POINTS 6    /* of its error */
#define RATE 10     /* columns of calls a second */
#define LEAST_NAME 20
#define LEAST_FOR_SOURCE 16 /* lines of a screen that has some for source */
#define AROUND 2    /* lines of source above and below the row's */
#define SOURCE_LINES (2 * AROUND + 2) /* with the heading */

static const char *const headings[NYTP_BOARD_COLUMNS] = {"total %", "self %", "CPU %", "wait %", "calls/s"};
static const char *const names[NYTP_BOARD_VIEWS] = {"sub", "line", "stack: the sub < its callers"};

static const char help[] =
    " q, Ctrl-C      quit\n"
    " s  l  c        subs, lines, call stacks\n"
    " w              the last seconds, or the whole run\n"
    " <  >           the next column to the left or right comes first\n"
    " up down j k    choose a row; its source is below the table\n"
    " space b        a page down, up\n"
    " g  G           the first row, the last\n"
    " /              only names that contain a text; Return ends it, Escape drops it\n"
    " p              pause, and go on\n"
    " h  ?           this list\n";

static int has_source(const nytp_board *b) { return b->has_cursor && b->height >= LEAST_FOR_SOURCE; }

uint32_t nytp_board_page(const nytp_board *b) {
    uint32_t taken = HEAD + (has_source(b) ? SOURCE_LINES : 0) + (b->has_cursor ? 1 : 0);
    return !b->height ? b->most : b->height > taken ? b->height - taken : 1;
}

void nytp_board_move(nytp_board *b, uint32_t rows, int64_t by) {
    uint32_t page = nytp_board_page(b);
    int64_t to = (int64_t)b->cursor + by, last = rows ? (int64_t)rows - 1 : 0;
    b->cursor = (uint32_t)(to < 0 ? 0 : to > last ? last : to);
    if (b->first > b->cursor) b->first = b->cursor;
    if (b->cursor - b->first >= page) b->first = b->cursor - page + 1;
}

/* ---- cells ---- */

static nytp_str taken(nytp_buf *cell) {
    nytp_str text = nytp_page_bytes(cell);
    nytp_buf_rewind(cell);
    return text;
}

/* A line of the screen that keeps to its width. */
static void put_cut(nytp_buf *out, const nytp_board *b, nytp_str text) { nytp_cells_cut(out, text, b->width); }

static void put_share(nytp_buf *out, nytp_buf *cell, double share) {
    if (share > 0.0005) nytp_text_format(cell, "%.1f", share > 9.99 ? 999.0 : 100 * share);
    nytp_cells_right(out, taken(cell), SHARE);
}

static double share_of(const nytp_profile *p, enum nytp_board_column c, int64_t value) {
    double whole = nytp_profile_seconds(p, p->totals.whole);
    double part = c <= NYTP_BOARD_SELF ? nytp_profile_seconds(p, value) : (double)value / 1e9;
    return whole > 0 && part > 0 ? part / whole : 0;
}

/* Of samples the own share of a row, the first that all rows have, has an error; few samples are grey. */
static int has_points(const nytp_profile *p, enum nytp_board_column c) {
    return c == NYTP_BOARD_SELF && p->samples > 0;
}

static uint32_t width_of(const nytp_profile *p, enum nytp_board_column c) {
    return (c == NYTP_BOARD_CALLS ? RATE : SHARE) + (has_points(p, c) ? POINTS : 0);
}

/* On a narrow screen names have room, and the column that comes first. */
static int is_shown(const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows,
                    enum nytp_board_column column) {
    uint32_t taken = 0;
    for (enum nytp_board_column c = 0; c <= column; c++) taken += nytp_board_has(rows, p, c) ? width_of(p, c) : 0;
    return nytp_board_has(rows, p, column) &&
           (!b->has_cursor || column == b->by || taken + LEAST_NAME <= b->width);
}

static void put_points(nytp_buf *out, nytp_buf *cell, const nytp_board *b, const nytp_profile *p, int64_t ticks) {
    int is_grey = b->has_color && nytp_profile_are_few(p->samples);
    double error = nytp_profile_error(p, ticks);
    if (error > 0) nytp_shown_points(cell, error);
    if (is_grey) nytp_cells_grey(out);
    nytp_cells_right(out, taken(cell), POINTS);
    if (is_grey) nytp_cells_end(out);
}

static void put_rate(nytp_buf *out, nytp_buf *cell, const nytp_board *b, int64_t n) {
    double rate = b->seconds > 0 ? (double)n / b->seconds : 0;
    if (rate >= 9.95) nytp_units_count(cell, nytp_ticks_whole(rate));
    else if (rate > 0) nytp_text_format(cell, "%.1f", rate);
    nytp_cells_right(out, taken(cell), RATE);
}

/* ---- the head ---- */

/* ", 10 % is ±1.5": the error of a share of the profiled time. */
static void put_worth(nytp_buf *line, const nytp_profile *p) {
    nytp_text_put(line, ", 10 % is ");
    nytp_shown_points(line, nytp_profile_deviation(p->samples, 0.1));
}

/* "of 4.20 s: CPU 61.2 %, waiting 30.1 %; 420 samples, 10 % is ±1.5", or the calls of a program whose calls are
 * counted. */
static void put_sums(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows) {
    static const char *const words[] = {[NYTP_BOARD_CPU] = "CPU", [NYTP_BOARD_WAITING] = ", waiting"};
    nytp_buf line = {0};
    nytp_units_time(&line, nytp_profile_seconds(p, p->totals.whole));
    nytp_text_put(&line, " profiled");
    for (enum nytp_board_column c = NYTP_BOARD_CPU; c <= NYTP_BOARD_WAITING; c++) {
        if (!nytp_board_has(rows, p, c)) continue;
        int64_t value = nytp_metrics_get(p, rows->metric[c], p->totals.values);
        nytp_text_format(&line, "%s%s %.1f %%", c == NYTP_BOARD_CPU ? ": " : "", words[c],
                         100 * share_of(p, c, value));
    }
    if (p->totals.calls > 0 && b->seconds > 0) {
        nytp_text_put(&line, "; ");
        nytp_units_count(&line, nytp_ticks_whole((double)p->totals.calls / b->seconds));
        nytp_text_put(&line, " calls a second");
    }
    uint32_t samples = nytp_metrics_find(p, NYTP_LIT("samples"));
    if (samples < p->metrics_n) {
        nytp_text_put(&line, "; ");
        nytp_units_count(&line, nytp_metrics_get(p, samples, p->totals.values));
        nytp_text_put(&line, " samples");
        if (p->samples) put_worth(&line, p);
    }
    put_cut(out, b, nytp_page_bytes(&line));
    nytp_buf_byte(out, '\n');
    nytp_buf_done(&line, out);
}

static void put_headings(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows) {
    nytp_buf cell = {0};
    if (b->has_color) nytp_cells_bold(out);
    for (enum nytp_board_column c = 0; c < NYTP_BOARD_COLUMNS; c++) {
        if (!is_shown(b, p, rows, c)) continue;
        int is_count = c == NYTP_BOARD_CALLS;
        nytp_text_put(&cell, is_count && b->view == NYTP_BOARD_LINES ? "runs/s" : headings[c]);
        if (c == b->by) nytp_buf_byte(&cell, '*');
        nytp_cells_right(out, taken(&cell), is_count ? RATE : SHARE);
        if (has_points(p, c)) nytp_cells_right(out, NYTP_LIT("\xC2\xB1"), POINTS);
    }
    nytp_text_put(out, "  ");
    nytp_text_put(out, names[b->view]);
    if (b->has_color) nytp_cells_end(out);
    nytp_buf_byte(out, '\n');
    nytp_buf_done(&cell, out);
}

/* ---- rows ---- */

static void put_row(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows,
                    uint32_t i) {
    const nytp_board_row *row = &rows->at[i];
    int is_chosen = b->has_cursor && i == b->cursor;
    int heat = b->has_color ? nytp_order_heat(row->of[NYTP_BOARD_SELF], p->totals.whole) : 0;
    uint32_t left = b->width;
    nytp_buf cell = {0};
    nytp_cells_hot(out, heat);
    for (enum nytp_board_column c = 0; c < NYTP_BOARD_COLUMNS; c++) {
        if (!is_shown(b, p, rows, c)) continue;
        if (c == NYTP_BOARD_CALLS) put_rate(out, &cell, b, row->of[c]);
        else put_share(out, &cell, share_of(p, c, row->of[c]));
        if (has_points(p, c)) put_points(out, &cell, b, p, row->of[c]);
        left -= left > width_of(p, c) ? width_of(p, c) : left;
    }
    nytp_cells_plain(out, heat);
    left = left > 4 + LEAST_NAME / 2 ? left - 4 : LEAST_NAME / 2; /* the screen's edge cuts the rest */
    nytp_board_name(&cell, p, b->view, row);
    nytp_text_put(out, is_chosen ? " >" : "  ");
    if (b->height) nytp_cells_cut(out, taken(&cell), left);
    else nytp_text_str(out, taken(&cell));
    nytp_buf_byte(out, '\n');
    nytp_buf_done(&cell, out);
}

/* Returns how many. */
static uint32_t put_rows(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows) {
    uint32_t page = nytp_board_page(b), n = 0;
    for (uint32_t i = b->first; i < rows->n && n < page; i++, n++) put_row(out, b, p, rows, i);
    if (!rows->n) nytp_text_put(out, *b->filter ? "  no name contains that text\n" : "  nothing has run\n");
    return n ? n : 1;
}

/* ---- below the rows ---- */

static void put_source(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_row *row) {
    nytp_buf text = {0}, cell = {0};
    const nytp_file *f = &p->files[row->file];
    uint32_t first = row->line > AROUND ? row->line - AROUND : 1;
    int is_known = row->file && row->line && row->line != NYTP_LINE_UNKNOWN && f->source_lines;
    nytp_board_name(&text, p, NYTP_BOARD_LINES, row);
    if (is_known) put_cut(out, b, taken(&text));
    else nytp_text_put(out, "its source is not known");
    nytp_buf_byte(out, '\n');
    for (uint32_t line = first; line < first + SOURCE_LINES - 1; line++) {
        nytp_buf_rewind(&text);
        if (is_known && line <= f->source_lines) {
            nytp_text_number(&cell, line);
            nytp_cells_right(&text, taken(&cell), 6);
            nytp_text_put(&text, line == row->line ? " > " : "   ");
            nytp_cells_source(&text, nytp_source_line(p, f, line));
        }
        put_cut(out, b, nytp_page_bytes(&text));
        nytp_buf_byte(out, '\n');
    }
    nytp_buf_done(&text, out);
    nytp_buf_done(&cell, out);
}

static void put_keys(nytp_buf *out, const nytp_board *b) {
    nytp_buf line = {0};
    if (b->is_typing || *b->filter) nytp_text_format(&line, "/%s%s", b->filter, b->is_typing ? "_" : "  ");
    if (!b->is_typing) nytp_text_put(&line, "q quit  s subs  l lines  c stacks  w window  < > sort  / find  h help");
    put_cut(out, b, nytp_page_bytes(&line));
    nytp_buf_done(&line, out);
}

static void fill(nytp_buf *out, uint32_t lines) {
    while (lines--) nytp_buf_byte(out, '\n');
}

/* As many lines as there are between the head and the keys. */
static void put_help(nytp_buf *out, const nytp_board *b) {
    uint32_t left = b->height > HEAD + 1 ? b->height - HEAD - 1 : 0;
    for (const char *line = help, *end; left && (end = strchr(line, '\n')); line = end + 1, left--)
        nytp_text_str(out, (nytp_str){line, (size_t)(end + 1 - line)});
    fill(out, left);
}

void nytp_board_draw(nytp_buf *out, const nytp_board *b, const nytp_profile *p, const nytp_board_rows *rows) {
    put_cut(out, b, nytp_str_c(b->title));
    nytp_buf_byte(out, '\n');
    put_sums(out, b, p, rows);
    put_headings(out, b, p, rows);
    if (b->wants_help) {
        put_help(out, b);
    } else {
        uint32_t n = put_rows(out, b, p, rows), page = nytp_board_page(b);
        static const nytp_board_row none = {0};
        if (b->has_cursor) fill(out, n < page ? page - n : 0);
        if (has_source(b)) put_source(out, b, p, b->cursor < rows->n ? &rows->at[b->cursor] : &none);
    }
    if (b->has_cursor) put_keys(out, b);
}
