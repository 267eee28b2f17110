/* html_code.c - the lines of a source page.
 *
 * The page is cut into sections that the browser lays out only when they come into view; each says how high it will be,
 * so that the scroll bar and #LINE are right at once. A section begins at a sub that was called, and after ROWS rows.
 * Most lines never run: COLD or more of them in a row are folded into one. */
#include "base/ticks.h"
#include "model/order.h"
#include "model/walk.h"
#include "report/escape.h"
#include "report/html.h"
#include "report/text.h"
#include "report/units.h"

#define ROWS 200
#define COLD 4
#define ROW_HEIGHT 19  /* px, as in style.css */
#define NOTE_HEIGHT 18

typedef struct code {
    nytp_buf *out;
    const nytp_html *h;
    nytp_walk at; /* the line being written */
    nytp_buf section;
    uint32_t rows, height;
} code;

static void end_section(code *c) {
    if (c->rows) {
        nytp_text_format(c->out, "<section style=\"contain-intrinsic-size:auto %upx\"><table><colgroup><col class=n>"
                                 "<col class=k><col class=k><col class=k><col class=k><col></colgroup>\n", c->height);
        nytp_text_str(c->out, nytp_page_bytes(&c->section));
        nytp_text_put(c->out, "</table></section>\n");
    }
    if (c->section.failed) c->out->failed = 1;
    nytp_buf_clear(&c->section);
    c->rows = c->height = 0;
}

static void put_text(code *c, uint32_t line) {
    if (line <= c->at.f->source_lines) nytp_escape_source(&c->section, c->at.f->source[line - 1]);
}

/* One annotation row, which carries the line's id if it comes first. */
static void begin_note(code *c, int with_id) {
    if (with_id) nytp_text_format(&c->section, "<tr class=x id=%u><td colspan=5><td>", c->at.line);
    else nytp_text_put(&c->section, "<tr class=x><td colspan=5><td>");
    c->rows++;
}

static uint32_t listed(uint32_t n) {
    return n < NYTP_HTML_LISTED + 3 ? n : NYTP_HTML_LISTED + 1;
}

/* Above the line: who called the subs that begin here. Returns whether the id is given away. */
static int put_callers(code *c) {
    int given = 0;
    for (uint32_t i = 0; i < c->at.subs.n; i++) {
        uint32_t sub = c->h->p->defined[c->at.subs.first + i];
        const nytp_sub *s = &c->h->p->subs[sub];
        if (!nytp_profile_sub_called(s)) continue;
        if (!given) end_section(c);
        begin_note(c, !given);
        if (c->at.subs.n > 1) {
            nytp_html_sub_name(&c->section, c->h, sub);
            nytp_text_put(&c->section, "\n");
        }
        nytp_html_callers(&c->section, c->h, sub);
        c->height += NOTE_HEIGHT * (1 + listed(s->callers.n));
        given = 1;
    }
    return given;
}

static void put_never_called(code *c) {
    for (uint32_t i = 0; i < c->at.subs.n; i++)
        if (nytp_profile_sub_called(&c->h->p->subs[c->h->p->defined[c->at.subs.first + i]])) return;
    if (c->at.subs.n) nytp_text_put(&c->section, " <span class=hint>never called</span>");
}

static int same_at_all_levels(const code *c) {
    const nytp_line *const *l = c->at.level;
    return l[0] && l[1] && l[2] && l[0]->count == l[1]->count && l[0]->count == l[2]->count &&
           l[0]->ticks == l[1]->ticks && l[0]->ticks == l[2]->ticks;
}

static void put_count(code *c, const nytp_line *l) {
    if (l->count || l->ticks) nytp_units_count(&c->section, l->count);
}

static void put_time(code *c, const nytp_line *l) {
    if (l->count || l->ticks) nytp_html_time(&c->section, c->h, l->ticks);
}

/* Attributes of a time: its heat, and for a warm one what each execution took and its share. */
static void put_heat(code *c, const nytp_line *l, const char *class) {
    int heat = nytp_order_heat(l->ticks, c->h->p->totals.ticks);
    if (!heat) {
        if (*class) nytp_text_format(&c->section, " class=%s", class);
        return;
    }
    nytp_text_format(&c->section, " class=\"%s%sh%d\" title=\"", class, *class ? " " : "", heat);
    nytp_units_percent(&c->section, l->ticks, c->h->p->totals.ticks);
    nytp_text_put(&c->section, " of the run, ");
    nytp_html_average(&c->section, c->h, l->ticks, l->count);
    nytp_text_put(&c->section, " each\"");
}

static void put_level_cells(code *c) {
    static const char *const classes[] = {"l", "b", "s"};
    nytp_text_put(&c->section, "<td>");
    for (int i = 0; i < NYTP_LEVELS; i++) {
        if (!c->at.level[i]) continue;
        nytp_text_format(&c->section, "<i class=%s>", classes[i]);
        put_count(c, c->at.level[i]);
        nytp_text_put(&c->section, "</i>");
    }
    nytp_text_put(&c->section, "<td>");
    for (int i = 0; i < NYTP_LEVELS; i++) {
        if (!c->at.level[i]) continue;
        nytp_text_put(&c->section, "<i");
        put_heat(c, c->at.level[i], classes[i]);
        nytp_text_put(&c->section, ">");
        put_time(c, c->at.level[i]);
        nytp_text_put(&c->section, "</i>");
    }
}

static void put_statement_cells(code *c) {
    if (c->at.carrier) {
        nytp_text_format(&c->section, "<td colspan=2 class=with title=\"merged by the optimiser: counted there\">"
                                      "with <a href=\"#%u\">line %u</a>", c->at.carrier, c->at.carrier);
    } else if (same_at_all_levels(c)) {
        nytp_text_put(&c->section, "<td>");
        put_count(c, c->at.level[0]);
        nytp_text_put(&c->section, "<td");
        put_heat(c, c->at.level[0], "");
        nytp_text_put(&c->section, ">");
        put_time(c, c->at.level[0]);
    } else if (c->at.level[0] || c->at.level[1] || c->at.level[2]) put_level_cells(c);
    else nytp_text_put(&c->section, "<td><td>");
}

static void put_call_cells(code *c) {
    nytp_line sum = {.line = c->at.line};
    for (uint32_t i = 0; i < c->at.calls.n; i++) {
        const nytp_edge *e = &c->h->p->edges[c->h->p->sites[c->at.calls.first + i]];
        sum.count = nytp_ticks_add(sum.count, e->calls);
        sum.ticks = nytp_ticks_add(sum.ticks, nytp_html_edge_ticks(e));
    }
    nytp_text_put(&c->section, "<td>");
    if (c->at.calls.n) nytp_units_count(&c->section, sum.count);
    nytp_text_put(&c->section, "<td");
    if (c->at.calls.n) put_heat(c, &sum, "");
    nytp_text_put(&c->section, ">");
    if (c->at.calls.n) nytp_html_time(&c->section, c->h, sum.ticks);
}

static void put_notes_below(code *c) {
    if (c->at.calls.n) {
        begin_note(c, 0);
        nytp_html_callees(&c->section, c->h, c->h->p->sites + c->at.calls.first, c->at.calls.n);
        c->height += NOTE_HEIGHT * listed(c->at.calls.n) + 4;
    }
    if (c->at.evals.n) {
        begin_note(c, 0);
        nytp_html_evals(&c->section, c->h, c->h->p->evals + c->at.evals.first, c->at.evals.n);
        c->height += NOTE_HEIGHT * listed(c->at.evals.n) + 4;
    }
}

static void put_row(code *c) {
    int given = put_callers(c);
    nytp_text_put(&c->section, c->at.subs.n ? "<tr class=sub" : "<tr");
    if (!given) nytp_text_format(&c->section, " id=%u", c->at.line);
    nytp_text_format(&c->section, "><td><a href=\"#%u\" tabindex=-1>%u</a>", c->at.line, c->at.line);
    put_statement_cells(c);
    put_call_cells(c);
    nytp_text_put(&c->section, "<td>");
    put_text(c, c->at.line);
    put_never_called(c);
    nytp_text_put(&c->section, "\n");
    c->height += ROW_HEIGHT;
    put_notes_below(c);
    if (++c->rows >= ROWS) end_section(c);
}

/* Lines first ... last did not run. */
static void put_cold(code *c, uint32_t first, uint32_t last) {
    nytp_text_format(&c->section, "<tr class=cold><td colspan=6><details><summary>%u\xE2\x80\x93%u: ", first, last);
    nytp_units_count(&c->section, last - first + 1);
    nytp_text_put(&c->section, " lines not run</summary><pre>");
    for (uint32_t line = first; line <= last; line++) {
        nytp_text_format(&c->section, "<b id=%u></b>", line);
        put_text(c, line);
        nytp_text_put(&c->section, "\n");
    }
    nytp_text_put(&c->section, "</pre></details>\n");
    c->rows++;
    c->height += ROW_HEIGHT;
}

static uint32_t earlier(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* Writes lines from ... to, of which nothing is known: folded if they are many, left out where there is no source. */
static void put_unknown(code *c, uint32_t from, uint32_t to) {
    to = earlier(to, c->at.f->source_lines);
    if (from > to) return;
    if (to - from + 1 >= COLD) put_cold(c, from, to);
    else
        for (uint32_t line = from; line <= to; line++) {
            nytp_walk_to(&c->at, line);
            put_row(c);
        }
}

void nytp_html_code(nytp_buf *out, const nytp_html *h, uint32_t file) {
    const nytp_file *f = &h->p->files[file];
    code c = {.out = out, .h = h, .at = nytp_walk_begin(h->p, f)};
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
    nytp_buf_free(&c.section);
}
