/* SPDX-License-Identifier: MIT */
/* annotate.c - source with the count and the time of each line beside it, the file with the most time first.
 *
 * Of files without source, and behind the end of source, there are lines with figures only. A line's colour is its
 * share of the run. */
#include <inttypes.h>
#include <stdlib.h>

#include "model/bodies.h"
#include "model/order.h"
#include "model/source.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"

#define TIME_WIDTH 7   /* "12.3 ms", "1,234 s" */
#define ERROR_WIDTH 8  /* the same with a sign */
#define LEAST_SOURCE 20 /* columns, however narrow the terminal is */

enum { LEVEL_BLOCK, LEVEL_SUB, CONTEXT, FILTER, PACKAGE, SOURCE, MIN_PERCENT, TOP, EVALS, COLOR };

static const nytp_arg args[] = {
    [LEVEL_BLOCK] = {.name = "block", .without = "sub", .help = "sums of blocks, on their first lines"},
    [LEVEL_SUB] = {.name = "sub", .help = "sums of subs, on their first lines"},
    [CONTEXT] = {.name = "context", .letter = 'C', .kind = NYTP_ARG_NUMBER, .value = "N", .most = 1000000,
                 .fallback = "3", .help = "lines around those that --min-percent chooses"},
    [FILTER] = NYTP_ARGS_FILTER,
    [PACKAGE] = NYTP_ARGS_PACKAGE,
    [SOURCE] = NYTP_ARGS_SOURCE,
    [MIN_PERCENT] = NYTP_ARGS_MIN_PERCENT,
    [TOP] = NYTP_ARGS_TOP,
    [EVALS] = NYTP_ARGS_EVALS,
    [COLOR] = NYTP_ARGS_COLOR,
    {0},
};

typedef struct annotate {
    const nytp_request *r;
    const nytp_profile *p;
    nytp_bodies bodies;
    const nytp_file *f;      /* being printed */
    const nytp_lines *lines; /* its figures */
    nytp_buf out, cell, text;
    nytp_sink *sink;
    enum nytp_level level;
    uint32_t context;
    int32_t of_subs;         /* 1: only lines of chosen subs */
    uint32_t count_width, line_width;
    uint32_t error_width;    /* of times by samples, which have a column of their errors; else 0 */
    uint32_t near;           /* the first entry that may be near the line */
    uint32_t printed;        /* line printed last; 0: none yet */
} annotate;

/* ---- which lines ---- */

static int is_of_chosen_sub(const annotate *a, uint32_t body) {
    nytp_slice subs = a->bodies.at[body].subs;
    for (uint32_t i = 0; i < subs.n; i++)
        if (nytp_selection_has(a->r->selection, a->bodies.subs[subs.first + i])) return 1;
    return 0;
}

/* Whether the line is in a sub that was chosen; Lua's main chunk has all lines of its file. */
static int is_in_chosen_sub(const annotate *a, uint32_t line) {
    uint32_t file = (uint32_t)(a->f - a->p->files), body = nytp_bodies_at(&a->bodies, file, line);
    for (; nytp_bodies_has(&a->bodies, body, file, line); body = a->bodies.at[body].outer)
        if (is_of_chosen_sub(a, body)) return 1;
    return is_of_chosen_sub(a, file);
}

static int is_chosen(const annotate *a, uint32_t line) { return !a->of_subs || is_in_chosen_sub(a, line); }

static int is_hot(const annotate *a, const nytp_line *l) {
    return nytp_selection_shows(a->r->selection, l->ticks) && is_chosen(a, l->line);
}

/* Whether a line that is hot enough is at most `context` lines away. Lines are asked for in order. */
static int is_near(annotate *a, uint32_t line) {
    if (!a->r->values[MIN_PERCENT].given) return 1;
    for (; a->near < a->lines->n; a->near++) {
        const nytp_line *l = &a->lines->at[a->near];
        if ((uint64_t)l->line + a->context >= line && is_hot(a, l)) return l->line <= (uint64_t)line + a->context;
    }
    return 0;
}

static int has_hot(const annotate *a) {
    for (uint32_t i = 0; i < a->lines->n; i++)
        if (is_hot(a, &a->lines->at[i])) return 1;
    return 0;
}

/* ---- lines ---- */

static nytp_str taken(nytp_buf *cell) {
    nytp_str text = nytp_page_bytes(cell);
    nytp_buf_rewind(cell);
    return text;
}

static void put_figures(annotate *a, const nytp_line *l) {
    if (l->count || !(a->p->is_uncounted || a->p->is_seen)) nytp_units_count(&a->cell, l->count);
    nytp_cells_right(&a->out, taken(&a->cell), a->count_width);
    nytp_units_time(&a->cell, nytp_profile_seconds(a->p, nytp_profile_told(l->ticks, l->spread)));
    nytp_buf_byte(&a->out, ' ');
    nytp_cells_right(&a->out, taken(&a->cell), TIME_WIDTH);
    double points = l->ticks > 0 ? nytp_profile_line_error(a->p, l->ticks, l->variance) : -1;
    if (points > 0) {
        nytp_text_put(&a->cell, "\xC2\xB1");
        nytp_units_time(&a->cell, nytp_profile_seconds(a->p, a->p->totals.whole) * points / 100);
    }
    nytp_cells_right(&a->out, taken(&a->cell), a->error_width);
}

static void put_number(annotate *a, uint32_t line) {
    if (line == NYTP_LINE_UNKNOWN) nytp_text_put(&a->cell, "?");
    else nytp_text_number(&a->cell, line);
    nytp_cells_right(&a->out, taken(&a->cell), a->line_width + 1);
}

/* On a terminal a line keeps to its width. */
static void put_source(annotate *a, uint32_t line) {
    uint32_t before = a->count_width + 1 + TIME_WIDTH + a->error_width + 1 + a->line_width + 2;
    nytp_buf_rewind(&a->text);
    nytp_cells_source(&a->text, nytp_source_line(a->p, a->f, line));
    if (!a->text.n) return;
    nytp_text_put(&a->out, "  ");
    if (!a->r->is_terminal) nytp_text_str(&a->out, nytp_page_bytes(&a->text));
    else nytp_cells_cut(&a->out, nytp_page_bytes(&a->text),
                          a->r->width > before + LEAST_SOURCE ? a->r->width - before : LEAST_SOURCE);
}

static void put_gap(annotate *a, uint32_t line) {
    if (a->printed && line > a->printed + 1 && a->f->source_lines) {
        nytp_cells_right(&a->out, NYTP_LIT("..."), a->count_width + TIME_WIDTH + a->error_width + a->line_width + 2);
        nytp_buf_byte(&a->out, '\n');
    }
    a->printed = line;
}

/* figures is NULL for a line that never ran. */
static void put_line(annotate *a, uint32_t line, const nytp_line *figures) {
    int heat = figures && a->r->color ? nytp_order_heat(figures->ticks, a->p->totals.whole) : 0;
    put_gap(a, line);
    nytp_cells_hot(&a->out, heat);
    if (figures) put_figures(a, figures);
    else nytp_cells_blanks(&a->out, a->count_width + 1 + TIME_WIDTH + a->error_width);
    nytp_cells_plain(&a->out, heat);
    put_number(a, line);
    put_source(a, line);
    nytp_buf_byte(&a->out, '\n');
    nytp_sink_drain(a->sink, &a->out, NYTP_SINK_PIECE);
}

/* Lines of the source, then those with figures behind its end. */
static void put_lines(annotate *a) {
    uint32_t i = 0;
    a->near = a->printed = 0;
    for (uint32_t line = 1; line <= a->f->source_lines; line++) {
        const nytp_line *figures = i < a->lines->n && a->lines->at[i].line == line ? &a->lines->at[i++] : NULL;
        if (is_chosen(a, line) && is_near(a, line)) put_line(a, line, figures);
    }
    for (; i < a->lines->n; i++)
        if (is_hot(a, &a->lines->at[i])) put_line(a, a->lines->at[i].line, &a->lines->at[i]);
}

/* ---- files ---- */

static void measure(annotate *a) {
    uint32_t last = a->f->source_lines;
    a->count_width = sizeof "count" - 1;
    a->line_width = sizeof "line" - 1;
    for (uint32_t i = 0; i < a->lines->n; i++) {
        nytp_units_count(&a->cell, a->lines->at[i].count);
        uint32_t width = nytp_cells_width(taken(&a->cell));
        if (width > a->count_width) a->count_width = width;
        if (a->lines->at[i].line != NYTP_LINE_UNKNOWN && a->lines->at[i].line > last) last = a->lines->at[i].line;
    }
    nytp_text_number(&a->cell, last);
    uint32_t width = nytp_cells_width(taken(&a->cell));
    if (width > a->line_width) a->line_width = width;
}

static void put_title(annotate *a) {
    const nytp_file *f = a->f;
    if (a->r->color) nytp_cells_bold(&a->out);
    nytp_names_file(&a->cell, a->p, f);
    nytp_escape_text(&a->out, taken(&a->cell));
    if (a->r->color) nytp_cells_end(&a->out);
    nytp_text_put(&a->out, ": ");
    nytp_units_time(&a->out, nytp_profile_seconds(a->p, nytp_profile_told(f->ticks, f->spread)));
    nytp_text_put(&a->out, ", ");
    nytp_units_percent(&a->out, f->ticks, a->p->totals.whole);
    nytp_text_put(&a->out, " of the run");
    if (!f->source_lines) nytp_text_put(&a->out, "; its source is missing");
    if (f->from_disk == NYTP_DISK_CHANGED) nytp_text_put(&a->out, "; its source has changed since");
    nytp_buf_byte(&a->out, '\n');
}

static void put_head(annotate *a) {
    nytp_cells_right(&a->out, NYTP_LIT("count"), a->count_width);
    nytp_cells_right(&a->out, NYTP_LIT("time"), TIME_WIDTH + 1);
    if (a->error_width) nytp_cells_right(&a->out, NYTP_LIT("\xC2\xB1"), a->error_width);
    nytp_cells_right(&a->out, NYTP_LIT("line"), a->line_width + 1);
    nytp_text_put(&a->out, a->f->source_lines ? "  source\n" : "\n");
}

/* 1 if the file has lines to be shown. */
static int begin_file(annotate *a, const nytp_file *f) {
    a->f = f;
    a->lines = &f->level[a->level];
    return nytp_selection_has_file(a->r->selection, (uint32_t)(f - a->p->files)) && has_hot(a);
}

static void put_file(annotate *a) {
    measure(a);
    put_title(a);
    put_head(a);
    put_lines(a);
}

static void put_files(annotate *a, const uint32_t *files, uint32_t n) {
    uint32_t shown = 0;
    for (uint32_t i = 0; i < n && shown < a->r->selection->top; i++) {
        if (!begin_file(a, &a->p->files[files[i]])) continue;
        if (shown++) nytp_buf_byte(&a->out, '\n');
        put_file(a);
    }
    if (!shown) nytp_text_put(&a->out, "No line was chosen.\n");
}

static int write_annotate(const nytp_request *r, nytp_sink *sink) {
    const nytp_arg_value *v = r->values;
    annotate a = {.r = r, .p = r->profiles, .sink = sink, .context = (uint32_t)v[CONTEXT].number,
                  .level = v[LEVEL_BLOCK].given ? NYTP_LEVEL_BLOCK : v[LEVEL_SUB].given ? NYTP_LEVEL_SUB
                                                                                        : NYTP_LEVEL_LINE,
                  .of_subs = v[FILTER].given || v[PACKAGE].given};
    if (a.p->samples > 0 || a.p->is_seen) a.error_width = ERROR_WIDTH + 1;
    uint32_t n, *files = nytp_order_files(a.p, &n);
    enum nytp_code code = !files || nytp_bodies_find(&a.bodies, a.p) ? NYTP_NOMEM : NYTP_OK;
    nytp_sink_begin(sink, NYTP_LIT("nytprof.txt"));
    if (!code) put_files(&a, files, n);
    nytp_bodies_free(&a.bodies);
    free(files);
    nytp_buf_done(&a.cell, &a.out);
    nytp_buf_done(&a.text, &a.out);
    return nytp_sink_finish(sink, &a.out, code);
}

const nytp_report nytp_annotate_report = {
    .name = "annotate",
    .summary = "prints source with the count and the time of each line",
    .task = NYTP_TASK_LOOK,
    .output = "-",
    .is_page = 1,
    .args = args,
    .write = write_annotate,
};
