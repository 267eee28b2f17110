/* SPDX-License-Identifier: MIT */
/* code.c - the lines of a source page.
 *
 * A sub that was called has a section with a heading that stays in view. Below a heading rows are in stretches of ROWS
 * rows, which the browser lays out only when they come into view; each has its estimated height, so that the scroll bar
 * and #LINE are right at once. Most lines never run: two or more of them in a row are one row with a list, folded up
 * from COLD on, and documentation is apart from code. A line's number is the id of its first cell, which style.css
 * shows, so that copied text is code only. */
#include "pages/code.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "model/order.h"
#include "model/source.h"
#include "model/walk.h"
#include "pages/calls.h"
#include "pages/comments.h"
#include "pages/latency.h"
#include "pages/parts.h"
#include "report/escape.h"
#include "report/shown.h"
#include "report/text.h"
#include "report/units.h"

#define ROWS 200
#define COLD 4
#define ROW_HEIGHT 19  /* px, as in style.css */
#define FOLD_HEIGHT 25 /* of folded lines: large enough to click */
#define NOTE_HEIGHT 18
#define NOTE_GAP 4

#define NUMBERS(c) (4 + (c)->h->of_lines.n) /* columns of numbers, between a line's number and its text */

typedef struct code {
    nytp_buf *out;
    const nytp_html *h;
    nytp_walk at;          /* the line being written */
    nytp_buf callers;      /* callers above the rows of the stretch being written */
    nytp_buf stretch;      /* its rows */
    uint32_t rows, height; /* of callers and stretch */
    const unsigned char *comments; /* enum nytp_comment of each line of source */
    uint32_t last;         /* line of the sub with the open section; 0: none */
} code;

/* Ends a stretch. */
static void end_stretch(code *c) {
    if (c->rows || c->callers.n) {
        nytp_text_around(c->out, "<div style=--h:", c->height, "px>");
        nytp_text_str(c->out, nytp_page_bytes(&c->callers));
        nytp_text_around(c->out, "<table><col><col span=", NUMBERS(c), "><col>\n");
        nytp_text_str(c->out, nytp_page_bytes(&c->stretch));
        nytp_text_put(c->out, "</table></div>\n");
    }
    nytp_buf_rewind(&c->callers);
    nytp_buf_rewind(&c->stretch);
    c->rows = c->height = 0;
}

static void end_section(code *c) {
    end_stretch(c);
    if (c->last) nytp_text_put(c->out, "</section>\n");
    c->last = 0;
}

static void put_text(code *c, uint32_t line) {
    nytp_escape_source(&c->stretch, nytp_source_line(c->at.p, c->at.f, line));
}

/* A row below a line; a list makes it higher by its lines. */
static void begin_note(code *c) {
    nytp_text_around(&c->stretch, "<tr><td colspan=", NUMBERS(c) + 2, ">");
    c->rows++;
}

static void add_height(code *c, uint32_t lines) {
    if (lines) c->height += NOTE_HEIGHT * lines + NOTE_GAP;
}

/* The subs that were called and begin on this line: the first has a section with the line's id, which includes the
 * others. */
static void put_sub(code *c, uint32_t sub, int is_first) {
    const nytp_sub *s = &c->h->p->subs[sub];
    if (is_first) {
        end_section(c);
        nytp_text_around(c->out, "<section id=", c->at.line, "><h2><a href=#");
        nytp_text_around(c->out, "", c->at.line, ">");
        nytp_calls_heading(c->out, c->h, sub);
        nytp_text_put(c->out, "</h2>\n");
    } else {
        nytp_text_around(&c->callers, "<h3><a href=#", c->at.line, ">");
        nytp_calls_heading(&c->callers, c->h, sub);
        nytp_text_put(&c->callers, "</h3>");
        c->height += ROW_HEIGHT;
    }
    if (s->last_line > c->last) c->last = s->last_line;
    add_height(c, nytp_pages_latency_put(&c->callers, c->h, sub));
    add_height(c, nytp_calls_callers(&c->callers, c->h, sub));
}

/* Returns whether there was a sub, which gets the line's id. */
static int put_subs(code *c) {
    int given = 0;
    for (uint32_t i = 0; i < c->at.subs.n; i++) {
        uint32_t sub = c->h->p->defined[c->at.subs.first + i];
        if (!nytp_calls_has_heading(c->h, sub)) continue;
        put_sub(c, sub, !given);
        given = 1;
    }
    return given;
}

/* A BEGIN block without calls has run, before profiling began. */
static void put_never_called(code *c) {
    uint32_t uncalled = 0;
    for (uint32_t i = 0; i < c->at.subs.n; i++) {
        const nytp_sub *s = &c->h->p->subs[c->h->p->defined[c->at.subs.first + i]];
        if (nytp_profile_sub_called(s)) return;
        uncalled += !nytp_str_ends(s->name, NYTP_LIT("::BEGIN"));
    }
    if (uncalled && !c->h->p->is_uncounted) nytp_text_put(&c->stretch, " <span class=hint>never called</span>");
}

static int same_at_all_levels(const code *c) {
    const nytp_line *const *l = c->at.level;
    return l[0] && l[1] && l[2] && l[0]->count == l[1]->count && l[0]->count == l[2]->count &&
           l[0]->ticks == l[1]->ticks && l[0]->ticks == l[2]->ticks;
}

static int is_line_only(const code *c) {
    return c->at.level[NYTP_LEVEL_LINE] && !c->at.level[NYTP_LEVEL_BLOCK] && !c->at.level[NYTP_LEVEL_SUB];
}

static void put_count(code *c, const nytp_line *l) {
    if (l->count || l->ticks) nytp_parts_count(&c->stretch, c->h, l->count);
}

static void put_time(code *c, const nytp_line *l) {
    if (l->count || l->ticks) nytp_parts_time(&c->stretch, c->h, nytp_profile_told(l->ticks, l->spread));
}

/* Attributes of a time: its heat, and for a warm one the time of each execution and its share. */
static void put_heat(code *c, const nytp_line *l) {
    int heat = nytp_order_heat(nytp_profile_told(l->ticks, l->spread), c->h->p->totals.whole);
    if (!heat) return;
    nytp_text_around(&c->stretch, " class=h", (uint64_t)heat, " title=\"");
    nytp_parts_average(&c->stretch, c->h, l->ticks, l->count);
    nytp_text_put(&c->stretch, l->count > 0 ? " each, " : "");
    nytp_shown_line_share(&c->stretch, c->h->p, l->ticks, l->variance);
    nytp_text_put(&c->stretch, "\"");
}

static void put_level_cells(code *c) {
    static const char *const open[] = {"<i", "<b", "<u"}, *const close[] = {"</i>", "</b>", "</u>"};
    nytp_text_put(&c->stretch, "<td>");
    for (int i = 0; i < NYTP_LEVELS; i++) {
        if (!c->at.level[i]) continue;
        nytp_text_put(&c->stretch, open[i]);
        nytp_text_put(&c->stretch, ">");
        put_count(c, c->at.level[i]);
        nytp_text_put(&c->stretch, close[i]);
    }
    nytp_text_put(&c->stretch, "<td>");
    for (int i = 0; i < NYTP_LEVELS; i++) {
        if (!c->at.level[i]) continue;
        nytp_text_put(&c->stretch, open[i]);
        put_heat(c, c->at.level[i]);
        nytp_text_put(&c->stretch, ">");
        put_time(c, c->at.level[i]);
        nytp_text_put(&c->stretch, close[i]);
    }
}

static void put_statement_cells(code *c) {
    if (c->at.carrier) {
        nytp_text_format(&c->stretch, "<td colspan=2 class=with title=\"merged by the optimiser: counted there\">"
                                      "with <a href=#%u>line %u</a>", c->at.carrier, c->at.carrier);
    } else if (same_at_all_levels(c) || is_line_only(c)) {
        nytp_text_put(&c->stretch, "<td>");
        put_count(c, c->at.level[0]);
        nytp_text_put(&c->stretch, "<td");
        put_heat(c, c->at.level[0]);
        nytp_text_put(&c->stretch, ">");
        put_time(c, c->at.level[0]);
    } else if (c->at.level[0] || c->at.level[1] || c->at.level[2]) put_level_cells(c);
    else nytp_text_put(&c->stretch, "<td><td>");
}

/* Of calls within one another only the outermost one's time counts: that of table.sort, not that of its function. */
static void put_call_cells(code *c) {
    nytp_line sum = {.line = c->at.line};
    for (uint32_t i = 0; i < c->at.calls.n; i++) {
        const nytp_edge *e = &c->h->p->edges[c->h->p->sites[c->at.calls.first + i]];
        sum.count = nytp_ticks_add(sum.count, e->calls);
        sum.ticks = nytp_ticks_add(sum.ticks, e->outer);
        if (e->outer) sum.spread += nytp_calls_edge_spread(c->h, e);
    }
    nytp_text_put(&c->stretch, "<td>");
    if (c->at.calls.n && (sum.count || !c->h->p->is_uncounted)) nytp_units_count(&c->stretch, sum.count);
    nytp_text_put(&c->stretch, "<td");
    if (c->at.calls.n) put_heat(c, &sum);
    nytp_text_put(&c->stretch, ">");
    if (c->at.calls.n) put_time(c, &sum);
}

static void put_value(code *c, uint32_t metric, const nytp_line *l, const char *tag) {
    int64_t value = l ? nytp_metrics_get(c->h->p, metric, l->values) : 0;
    if (!value) return;
    nytp_text_format(&c->stretch, "<%s>", tag);
    nytp_shown_value(&c->stretch, &c->h->p->metrics[metric], value);
    nytp_text_format(&c->stretch, "</%s>", tag);
}

static void put_metric_cells(code *c) {
    static const char *const tags[] = {"i", "b", "u"}; /* line, block, sub */
    int is_one = is_line_only(c) || same_at_all_levels(c);
    for (uint32_t k = 0; k < c->h->of_lines.n; k++) {
        uint32_t metric = c->h->of_lines.at[k];
        nytp_text_put(&c->stretch, "<td class=m>");
        if (is_one) put_value(c, metric, c->at.level[NYTP_LEVEL_LINE], "span");
        for (int i = 0; i < NYTP_LEVELS && !is_one; i++) put_value(c, metric, c->at.level[i], tags[i]);
    }
}

static void put_notes_below(code *c) {
    if (c->at.calls.n) {
        begin_note(c);
        add_height(c, nytp_calls_callees(&c->stretch, c->h, c->h->p->sites + c->at.calls.first, c->at.calls.n));
    }
    if (c->at.evals.n) {
        begin_note(c);
        add_height(c, nytp_calls_evals(&c->stretch, c->h, c->h->p->evals + c->at.evals.first, c->at.evals.n));
    }
}

static int comment_of(const code *c, uint32_t line) {
    return line <= c->at.f->source_lines ? c->comments[line - 1] : NYTP_COMMENT_NONE;
}

/* The classes: a line where subs begin; one with figures for the line level only. */
static void begin_row(code *c) {
    int line_only = is_line_only(c);
    if (c->at.subs.n) nytp_text_put(&c->stretch, line_only ? "<tr class=\"sub l\"><td" : "<tr class=sub><td");
    else nytp_text_put(&c->stretch, line_only ? "<tr class=l><td" : "<tr><td");
}

static void put_row(code *c) {
    if (c->last && c->at.line > c->last && !nytp_walk_empty(&c->at)) end_section(c);
    int given = put_subs(c);
    begin_row(c);
    if (given) nytp_text_around(&c->stretch, ">", c->at.line, "");
    else nytp_text_around(&c->stretch, " id=", c->at.line, ">");
    put_statement_cells(c);
    put_call_cells(c);
    put_metric_cells(c);
    nytp_text_put(&c->stretch, comment_of(c, c->at.line) ? "<td class=c>" : "<td>");
    put_text(c, c->at.line);
    put_never_called(c);
    nytp_text_put(&c->stretch, "\n");
    c->height += ROW_HEIGHT;
    put_notes_below(c);
    if (++c->rows >= ROWS) end_stretch(c);
}

static int are_all_comments(const code *c, uint32_t first, uint32_t last) {
    for (uint32_t line = first; line <= last && line <= c->at.f->source_lines; line++)
        if (!c->comments[line - 1] && nytp_source_line(c->at.p, c->at.f, line).n > 1) return 0;
    return 1;
}

/* Lines first ... last did not run: a list of them, folded up if it is long. */
static void put_list(code *c, uint32_t first, uint32_t last, int is_documentation) {
    uint32_t n = last - first + 1;
    int is_folded = n >= COLD;
    nytp_text_around(&c->stretch, "<tr><td colspan=", NUMBERS(c) + 2, ">");
    if (is_folded) {
        nytp_text_around(&c->stretch, "<details><summary id=", first, ">");
        nytp_units_count(&c->stretch, n);
        nytp_text_put(&c->stretch, is_documentation ? " lines of documentation" :
                      c->h->p->is_uncounted || c->h->p->is_seen ? " lines without a sample" : " lines not run");
        nytp_text_put(&c->stretch, "</summary>");
    }
    int all = are_all_comments(c, first, last);
    nytp_text_around(&c->stretch, all ? "<ol class=c start=" : "<ol start=", first, ">");
    for (uint32_t line = first; line <= last; line++) {
        nytp_text_put(&c->stretch, !all && comment_of(c, line) ? "<li><p>" : "<li>");
        size_t empty = c->stretch.n;
        put_text(c, line);
        if (c->stretch.n == empty) nytp_buf_byte(&c->stretch, '\n');
    }
    nytp_text_put(&c->stretch, is_folded ? "</ol></details>\n" : "</ol>\n");
    c->rows++;
    c->height += is_folded ? FOLD_HEIGHT : n * ROW_HEIGHT;
}

static void put_cold(code *c, uint32_t first, uint32_t last) {
    for (uint32_t from = first, to; from <= last; from = to + 1) {
        int is_documentation = comment_of(c, from) == NYTP_COMMENT_DOCUMENTATION;
        to = from;
        while (to < last && is_documentation == (comment_of(c, to + 1) == NYTP_COMMENT_DOCUMENTATION)) to++;
        put_list(c, from, to, is_documentation);
    }
}

static uint32_t earlier(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Writes lines from ... to, without figures; nothing without source. */
static void put_unknown(code *c, uint32_t from, uint32_t to) {
    to = earlier(to, c->at.f->source_lines);
    if (from < to) put_cold(c, from, to);
    if (from != to) return;
    nytp_walk_to(&c->at, from);
    put_row(c);
}

void nytp_code_put(nytp_buf *out, const nytp_html *h, uint32_t file) {
    const nytp_file *f = &h->p->files[file];
    unsigned char *comments = nytp_comments_find(h->p, f);
    code c = {.out = out, .h = h, .at = nytp_walk_begin(h->p, f), .comments = comments};
    if (!comments) {
        out->failed = 1;
        return;
    }
    uint32_t last = nytp_profile_last_line(h->p, f);
    for (uint32_t line = 1; line <= last; line++) {
        nytp_walk_to(&c.at, line);
        if (!nytp_walk_empty(&c.at)) {
            put_row(&c);
            continue;
        }
        uint32_t next = earlier(nytp_walk_next(&c.at), last + 1);
        put_unknown(&c, line, next - 1);
        line = next - 1;
    }
    end_section(&c);
    nytp_buf_done(&c.callers, out);
    nytp_buf_done(&c.stretch, out);
    free(comments);
}
