/* SPDX-License-Identifier: MIT */
/* callers.c - who calls a sub: counts and times by calling lines, level by level. */
#include <stdlib.h>
#include <string.h>

#include "model/callers.h"
#include "model/order.h"
#include "report/escape.h"
#include "report/match.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"
#include "terminal/cells.h"
#include "terminal/gprof.h"

#define LEAST_COUNT 9 /* columns of calls */
#define DEEPEST 1000
#define INDENTED 20   /* levels */
#define LEAST_NAME 20 /* columns */
#define LEAST_ROW 40  /* of a name and its place, with the level of a row that is not indented further */

enum { DEPTH, SORT, TOP, PERCENT, FROM, COLOR };

static const nytp_arg args[] = {
    [DEPTH] = {.name = "depth", .kind = NYTP_ARG_NUMBER, .value = "N", .fallback = "1", .least = 1, .most = DEEPEST,
               .help = "levels of callers"},
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "WORD", .fallback = "time", .words = "time calls",
              .help = "what comes first: most time or calls"},
    [TOP] = NYTP_ARGS_TOP,
    [PERCENT] = NYTP_ARGS_MIN_PERCENT,
    [FROM] = NYTP_ARGS_BELOW,
    [COLOR] = NYTP_ARGS_COLOR,
    {0},
};

typedef struct report {
    nytp_gprof g;
    const nytp_request *r;
    nytp_buf *out;  /* is written piece by piece, between subs */
    nytp_sink *sink;
    uint32_t calls; /* width */
    uint32_t *nested; /* number of rows without a total */
} report;

/* " at FILE:LINE", or as much of it as is known; is_short: without directories. */
static void put_place(nytp_buf *text, const nytp_profile *p, const nytp_caller *row, int is_short) {
    nytp_buf name = {0};
    if (!row->level || !row->file || !row->line || row->line == NYTP_LINE_UNKNOWN) return;
    nytp_names_file(&name, p, &p->files[row->file]);
    size_t begin = is_short ? name.n : 0;
    while (begin && name.p[begin - 1] != '/') begin--;
    nytp_text_put(text, begin ? " at \xE2\x80\xA6/" : " at ");
    nytp_escape_text(text, (nytp_str){(const char *)name.p + begin, name.n - begin});
    nytp_text_around(text, ":", row->line, "");
    nytp_buf_done(&name, text);
}

static void put_name(nytp_buf *text, const nytp_profile *p, uint32_t sub) {
    nytp_buf name = {0};
    nytp_names_sub(&name, p, &p->subs[sub]);
    nytp_escape_text(text, nytp_page_bytes(&name));
    nytp_buf_done(&name, text);
}

/* In a narrow terminal the file loses its directories before it and the name lose their middles. */
static void put_caller(const report *c, size_t line, const nytp_caller *row) {
    nytp_buf name = {0}, place = {0};
    uint32_t room = nytp_gprof_left(c->out, &c->g, line);
    put_name(&name, c->g.p, row->sub);
    put_place(&place, c->g.p, row, 0);
    if (room && nytp_cells_width(nytp_page_bytes(&name)) + nytp_cells_width(nytp_page_bytes(&place)) > room) {
        nytp_buf_rewind(&place);
        put_place(&place, c->g.p, row, 1);
    }
    uint32_t wide = nytp_cells_width(nytp_page_bytes(&place)), wanted = nytp_cells_width(nytp_page_bytes(&name));
    uint32_t least = wanted < LEAST_NAME ? wanted : LEAST_NAME;
    if (room && wide + least > room) wide = room - least;
    nytp_gprof_cut(c->out, nytp_page_bytes(&name), room ? room - wide : 0);
    if (wide) nytp_gprof_cut(c->out, nytp_page_bytes(&place), wide);
    nytp_buf_done(&name, c->out);
    nytp_buf_done(&place, c->out);
}

/* Rows of a level that is not indented further are labelled with it. */
static void put_indent(const report *c, size_t line, uint32_t level) {
    uint32_t room = nytp_gprof_left(c->out, &c->g, line), most = INDENTED;
    if (room && room < LEAST_ROW + 2 + 2 * INDENTED) most = room > LEAST_ROW + 2 ? (room - LEAST_ROW - 2) / 2 : 0;
    nytp_cells_blanks(c->out, 2 + 2 * (level < most ? level : most));
    if (level > most) nytp_text_around(c->out, "[", level, "] ");
}

/* Of calls within another call of the sub no total is known: that one's time has it. */
static int is_nested(const nytp_caller *row) { return row->calls > 0 && row->self > 0 && !row->total; }

static void put_row(const report *c, const nytp_caller *row) {
    size_t line = c->out->n;
    nytp_gprof_hot(c->out, &c->g, row->total);
    nytp_gprof_calls(c->out, &c->g, c->calls, row->calls);
    nytp_gprof_time(c->out, &c->g, nytp_gprof_ns(c->g.p, row->self));
    if (is_nested(row)) nytp_cells_blanks(c->out, c->g.times);
    else nytp_gprof_time(c->out, &c->g, nytp_gprof_ns(c->g.p, row->total));
    *c->nested += (uint32_t)is_nested(row);
    put_indent(c, line, row->level);
    put_caller(c, line, row);
    nytp_gprof_end(c->out, &c->g, row->total);
}

static void put_head(const report *c) {
    nytp_gprof_text(c->out, c->calls, "calls");
    nytp_gprof_text(c->out, c->g.times, "self");
    nytp_gprof_text(c->out, c->g.times, "total");
    nytp_text_put(c->out, "  sub, and its callers; times in ");
    nytp_text_put(c->out, c->g.unit);
    nytp_buf_byte(c->out, '\n');
}

/* Of the callers of one row the first --top are shown, and those with --min-percent of the run. */
static void put_rows(const report *c, const nytp_callers *callers) {
    uint32_t shown[DEEPEST + 2] = {0}; /* by level, of the row above */
    uint32_t i = 0;
    int is_shown;
    do {
        const nytp_caller *row = &callers->at[i];
        is_shown = !i || (shown[row->level] < c->r->selection->top &&
                          nytp_selection_shows(c->r->selection, row->total));
        shown[row->level] += (uint32_t)is_shown;
        shown[row->level + 1] = 0;
        if (is_shown) put_row(c, row);
        i = nytp_callers_next(callers, i, !is_shown);
    } while (i);
}

/* As X::BEGIN, which perl empties when the block has run. */
static void put_uncalled(const report *c, uint32_t sub) {
    size_t line = c->out->n;
    nytp_cells_blanks(c->out, c->calls + 2 * c->g.times + 2);
    nytp_gprof_sub(c->out, c->g.p, sub, nytp_gprof_left(c->out, &c->g, line));
    nytp_text_put(c->out, "  never called\n");
}

static enum nytp_code put_sub(const report *c, uint32_t sub) {
    const nytp_arg_value *v = c->r->values;
    if (!(c->g.p->subs[sub].flags & NYTP_SUB_PHASE) && !nytp_profile_sub_called(&c->g.p->subs[sub])) {
        put_uncalled(c, sub);
        return NYTP_OK;
    }
    nytp_callers callers = {0};
    enum nytp_code code = nytp_callers_find(&callers, c->g.p, sub, (uint32_t)v[DEPTH].number,
                                            strcmp(v[SORT].text, "calls") == 0);
    if (!code) put_rows(c, &callers);
    if (!code && callers.is_cut) nytp_text_put(c->out, "This profile has direct callers only.\n");
    nytp_callers_free(&callers);
    return code;
}

/* The sub with the most time first. */
static enum nytp_code put_subs(report *c, const unsigned char *chosen) {
    enum nytp_code code = NYTP_OK;
    uint32_t n, *order = nytp_order_all(c->g.p, NYTP_ORDER_INCLUSIVE, 1, &n);
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_sub *s = &c->g.p->subs[order[i]];
        uint32_t width = nytp_gprof_width(s->calls > 0 ? (uint64_t)s->calls : 0, 0);
        if (chosen[order[i]] && width > c->calls) c->calls = width;
    }
    put_head(c);
    for (uint32_t i = 0, some = 0; i < n && !code; i++) {
        if (!chosen[order[i]]) continue;
        if (some++) nytp_buf_byte(c->out, '\n');
        code = put_sub(c, order[i]);
        nytp_sink_drain(c->sink, c->out, NYTP_SINK_PIECE);
    }
    if (*c->nested)
        nytp_text_put(c->out, "\n total  blank: calls within another call of the sub, in whose total they are\n");
    free(order);
    return code;
}

/* ---- the report ---- */

static enum nytp_code refuse(const nytp_request *r, nytp_sink *sink) {
    nytp_buf text = {0};
    nytp_text_put(&text, "callers: ");
    nytp_match_missing(&text, r->profiles, r->sub);
    nytp_buf_byte(&text, '\0');
    enum nytp_code code = text.failed ? NYTP_NOMEM : NYTP_USAGE;
    if (code == NYTP_USAGE) nytp_sink_fail(sink, (const char *)text.p);
    nytp_buf_free(&text);
    return code;
}

static int write_callers(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    uint32_t nested = 0;
    report c = {.g = nytp_gprof_of(r, 0), .r = r, .out = &out, .sink = sink, .calls = LEAST_COUNT, .nested = &nested};
    unsigned char *chosen = calloc(r->profiles->subs_n + (size_t)1, 1);
    uint32_t n = 0;
    int code = NYTP_NOMEM;
    if (chosen) code = nytp_match_subs(chosen, &n, r->profiles, r->sub);
    if (!code && !n) code = refuse(r, sink);
    if (!code) {
        nytp_sink_begin(sink, NYTP_LIT("callers.txt"));
        code = nytp_sink_finish(sink, &out, put_subs(&c, chosen));
    }
    free(chosen);
    return code;
}

const nytp_report nytp_callers_report = {
    .name = "callers",
    .task = NYTP_TASK_LOOK,
    .summary = "prints the lines that call a sub, and those that call these",
    .output = "-",
    .is_page = 1,
    .takes_sub = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_callers,
};
