/* SPDX-License-Identifier: MIT */
/* hot.c - the hottest lines, blocks or subs as messages of a compiler, FILE:LINE: MESSAGE, which editors jump to: vim's
 * quickfix list, Emacs's compilation mode, problem matchers.
 *
 * A string eval is no file that an editor could open: its lines count at the line that ran it. A sub in C has no line
 * either, and is shown where most of its time is called for. */
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "model/bodies.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/registry.h"
#include "report/shown.h"
#include "report/text.h"
#include "report/units.h"
#include "report/words.h"

enum { BY, SORT, TOP, MIN_PERCENT, FILTER, PACKAGE, SOURCE, APART, EVALS, SPLIT };

static const nytp_arg args[] = {
    [BY] = {.name = "by", .kind = NYTP_ARG_WORD, .value = "WHAT", .fallback = "line", .words = "line block sub",
            .help = "what a row is: line, block or sub"},
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "BY", .fallback = "time", .words = "time count",
              .help = "first comes the most time, or count"},
    [TOP] = {.name = "top", .letter = 'n', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 4000000000u,
             .fallback = "20", .use = NYTP_ARG_FOR_TOP, .help = "only the first N"},
    [MIN_PERCENT] = NYTP_ARGS_MIN_PERCENT,
    [FILTER] = NYTP_ARGS_FILTER,
    [PACKAGE] = NYTP_ARGS_PACKAGE,
    [SOURCE] = NYTP_ARGS_SOURCE,
    [APART] = {.name = "evals", .help = "rows of their own for lines of string evals"},
    [EVALS] = NYTP_ARGS_EVALS,
    [SPLIT] = {.name = "split", .letter = 'p', .use = NYTP_ARG_FOR_SPLIT, .help = "a file for each process, OUT.PID"},
    {0},
};

typedef struct row {
    uint32_t file, line;   /* a place that editors can open */
    uint32_t eval, inner;  /* with --evals the file and the line of an eval; else 0 0 */
    uint32_t sub;          /* the row's, or the innermost one around the line */
    int64_t count, ticks;
    float spread, variance;
    int64_t here;          /* of a sub without a line: inclusive time of its calls at the row's */
    float here_spread;
    int32_t is_call;       /* 1: of such a sub */
} row;

/* Calls of a sub at one place. */
typedef struct called {
    uint32_t file, line, eval, inner; /* as in row */
    int64_t inclusive;
    float spread;
} called;

typedef struct hot {
    const nytp_request *r;
    const nytp_profile *p;
    nytp_bodies bodies;
    const nytp_words *words; /* of the profile, and behind them of each process */
    row *rows;
    called *calls; /* room for all of a sub */
    uint32_t n;
    enum nytp_level level;
    int32_t is_apart, by_count;
} hot;

/* ---- rows ---- */

/* The innermost sub around a line of a file, the last of several, or the sub that ran the file; or the main program. */
static uint32_t sub_around(const hot *h, uint32_t file, uint32_t line) {
    uint32_t body = nytp_bodies_run(&h->bodies, nytp_bodies_at(&h->bodies, file, line));
    nytp_slice subs = h->bodies.at[body].subs;
    return body ? h->bodies.subs[subs.first + subs.n - 1] : NYTP_ROOT;
}

/* Moves a place in an eval to the line of the file that ran it. */
static void leave_evals(const hot *h, row *r) {
    for (const nytp_file *f = &h->p->files[r->file]; f->parent; f = &h->p->files[r->file]) {
        r->line = f->parent_line;
        r->file = f->parent;
    }
}

static int is_chosen(const hot *h, uint32_t sub) {
    int is_asked = h->r->values[FILTER].given || h->r->values[PACKAGE].given;
    return !is_asked || nytp_selection_has(h->r->selection, sub);
}

static void add_line(hot *h, uint32_t file, const nytp_line *l) {
    row new = {.file = file, .line = l->line, .sub = sub_around(h, file, l->line), .count = l->count,
               .ticks = l->ticks, .spread = l->spread, .variance = l->variance};
    leave_evals(h, &new);
    if (new.sub == NYTP_ROOT && new.file != file) new.sub = sub_around(h, new.file, new.line);
    if (!is_chosen(h, new.sub)) return;
    if (h->is_apart && new.file != file) {
        new.eval = file;
        new.inner = l->line;
    }
    if (new.file && new.line && new.line != NYTP_LINE_UNKNOWN) h->rows[h->n++] = new;
}

static void add_lines(hot *h) {
    for (uint32_t file = 1; file < h->p->files_n; file++) {
        const nytp_lines *lines = &h->p->files[file].level[h->level];
        if (!nytp_selection_has_file(h->r->selection, file)) continue;
        for (uint32_t i = 0; i < lines->n; i++) add_line(h, file, &lines->at[i]);
    }
}

static int by_number(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

static int by_call_place(const void *a, const void *b) {
    const called *x = a, *y = b;
    int order = by_number(x->file, y->file);
    return order ? order : by_number(x->line, y->line);
}

/* The place that an edge has for editors. */
static called called_by(const hot *h, const nytp_edge *e) {
    row at = {.file = e->file, .line = e->line};
    leave_evals(h, &at);
    called c = {.file = at.file, .line = at.line, .inclusive = e->inclusive,
                .spread = nytp_profile_own_spread(h->p, e)};
    if (at.file != e->file) {
        c.eval = e->file;
        c.inner = e->line;
    }
    return c;
}

/* Adds up calls at one place: those of several subs, as of string evals, or of one by different kinds of calls. */
static uint32_t join_calls(called *calls, uint32_t n) {
    uint32_t kept = 0;
    if (n) qsort(calls, n, sizeof *calls, by_call_place);
    for (uint32_t i = 0; i < n; i++) {
        called *to = kept ? &calls[kept - 1] : NULL;
        if (to && !by_call_place(to, &calls[i])) {
            to->inclusive = nytp_ticks_add(to->inclusive, calls[i].inclusive);
            to->spread += calls[i].spread;
            if (to->eval != calls[i].eval || to->inner != calls[i].inner) to->eval = to->inner = 0;
        } else calls[kept++] = calls[i];
    }
    return kept;
}

/* The place where calls of a sub take most of its time; NULL: it has none. */
static const called *main_call(const hot *h, const nytp_sub *s) {
    const called *found = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->callers.n; i++) {
        const nytp_edge *e = &h->p->edges[s->callers.first + i];
        if (e->file) h->calls[n++] = called_by(h, e);
    }
    n = join_calls(h->calls, n);
    for (uint32_t i = 0; i < n; i++)
        if (!found || h->calls[i].inclusive > found->inclusive) found = &h->calls[i];
    return found;
}

/* A sub without a line of its own is at that of its calls. Returns 0 if there is none. */
static int place_by_calls(const hot *h, const nytp_sub *s, row *r) {
    const called *c = main_call(h, s);
    if (!c) return 0;
    r->file = c->file;
    r->line = c->line;
    r->eval = c->eval;
    r->inner = c->inner;
    r->here = c->inclusive;
    r->here_spread = c->spread;
    r->is_call = 1;
    return 1;
}

static void add_sub(hot *h, uint32_t sub) {
    const nytp_sub *s = &h->p->subs[sub];
    row new = {.file = s->file, .line = s->first_line, .sub = sub, .count = s->calls, .ticks = s->exclusive,
               .spread = s->spread};
    if (!nytp_profile_sub_called(s) || !nytp_selection_has(h->r->selection, sub)) return;
    if (s->file) {
        leave_evals(h, &new);
        if (new.file != s->file) {
            new.eval = s->file;
            new.inner = s->first_line;
        }
    } else if (!place_by_calls(h, s, &new)) return;
    if (new.line && new.line != NYTP_LINE_UNKNOWN) h->rows[h->n++] = new;
}

static int by_place(const void *a, const void *b) {
    const row *x = a, *y = b;
    int order = by_number(x->file, y->file);
    if (!order) order = by_number(x->line, y->line);
    if (!order) order = by_number(x->eval, y->eval);
    return order ? order : by_number(x->inner, y->inner);
}

/* Makes one row of those with one place: a line's own and those of the evals that it ran. */
static void join_places(hot *h) {
    uint32_t n = 0;
    qsort(h->rows, h->n, sizeof *h->rows, by_place);
    for (uint32_t i = 0; i < h->n; i++) {
        if (n && !by_place(&h->rows[n - 1], &h->rows[i])) {
            row *to = &h->rows[n - 1];
            to->ticks = nytp_ticks_add(to->ticks, h->rows[i].ticks);
            to->count = nytp_ticks_add(to->count, h->rows[i].count);
            to->spread += h->rows[i].spread;
            to->variance += h->rows[i].variance;
        } else h->rows[n++] = h->rows[i];
    }
    h->n = n;
    for (uint32_t i = 0; i < n; i++)
        if (!h->rows[i].eval) h->rows[i].sub = sub_around(h, h->rows[i].file, h->rows[i].line);
}

static int by_time(const void *a, const void *b) {
    const row *x = a, *y = b;
    if (x->ticks != y->ticks) return x->ticks > y->ticks ? -1 : 1;
    return x->sub != y->sub ? by_number(x->sub, y->sub) : by_place(a, b);
}

static int by_count(const void *a, const void *b) {
    const row *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return by_time(a, b);
}

/* ---- messages ---- */

/* Whether readers would take a part of the name for the line: a colon, digits, and a colon or the end. */
static int is_ambiguous(nytp_str name) {
    int digits = 0, colon = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == ':' && colon && digits) return 1;
        if (name.p[i] == '\n' || name.p[i] == '\0') return 1;
        if (name.p[i] == ':') colon = 1;
        else if (name.p[i] < '0' || name.p[i] > '9') colon = 0;
        digits = colon && name.p[i] != ':';
    }
    return digits || !name.n;
}

/* The file's name for editors: if it is ambiguous, relative to the folder in which the program ran. Empty if that does
 * not help. */
static nytp_str name_of(const nytp_profile *p, uint32_t file) {
    const nytp_file *f = &p->files[file];
    nytp_str name = f->name, cwd = {NULL, 0};
    if (!is_ambiguous(name)) return name;
    if (f->process) cwd = nytp_profile_property(p, f->process - 1, NYTP_LIT("cwd"));
    if (!cwd.n || !nytp_str_starts(name, cwd) || name.n <= cwd.n || name.p[cwd.n] != '/') return (nytp_str){NULL, 0};
    name = (nytp_str){name.p + cwd.n + 1, name.n - cwd.n - 1};
    return is_ambiguous(name) ? (nytp_str){NULL, 0} : name;
}

static void put_time(nytp_buf *out, const nytp_profile *p, int64_t ticks, float spread) {
    nytp_units_time(out, nytp_profile_seconds(p, nytp_profile_told(ticks, spread)));
}

static void put_text(nytp_buf *out, nytp_buf *name) {
    nytp_escape_text(out, (nytp_str){(const char *)name->p, name->n});
    nytp_buf_rewind(name);
}

/* " times": the statements of a block are counted, not how often it was entered. */
static void put_unit(nytp_buf *out, const hot *h, const row *r) {
    const nytp_words *w = &h->words[h->p->files[r->file].process];
    int is_one = r->count == 1;
    nytp_buf_byte(out, ' ');
    if (h->level == NYTP_LEVEL_SUB) nytp_text_put(out, is_one ? "call" : "calls");
    else if (h->level == NYTP_LEVEL_BLOCK) nytp_text_put(out, is_one ? w->statement : w->statements);
    else nytp_text_put(out, is_one ? "time" : "times");
}

/* "3 times in A::inner", "in A::inner" if that was not counted,
 * or "3 calls, 5.2 ms with callees: A::xs, 4.1 ms of it for calls from here" */
static void put_what(nytp_buf *out, const hot *h, const row *r, nytp_buf *name) {
    const nytp_sub *s = &h->p->subs[r->sub];
    int is_sub = h->level == NYTP_LEVEL_SUB;
    int is_counted = r->count || !(h->p->is_uncounted || (h->p->is_seen && !is_sub));
    if (is_counted) {
        nytp_units_count(out, r->count);
        put_unit(out, h, r);
        nytp_text_put(out, is_sub ? ", " : " ");
    }
    if (!is_sub) nytp_text_put(out, "in ");
    if (is_sub) {
        put_time(out, h->p, s->inclusive, s->whole_spread);
        nytp_text_put(out, " with callees: ");
    }
    nytp_names_sub(name, h->p, s);
    put_text(out, name);
    if (r->is_call) {
        nytp_text_put(out, ", ");
        put_time(out, h->p, r->here, r->here_spread);
        nytp_text_put(out, " of it for calls from here");
    }
    if (!r->eval) return;
    nytp_names_file(name, h->p, &h->p->files[r->eval]);
    nytp_text_put(out, ", ");
    put_text(out, name);
    nytp_text_around(out, " line ", r->inner, "");
}

static void put_row(nytp_buf *out, const hot *h, const row *r, nytp_str file, nytp_buf *name) {
    nytp_text_str(out, file);
    nytp_text_around(out, ":", r->line, ": ");
    nytp_shown_line_share(out, h->p, r->ticks, r->variance);
    nytp_text_put(out, " ");
    put_time(out, h->p, r->ticks, r->spread);
    nytp_text_put(out, ", ");
    put_what(out, h, r, name);
    nytp_buf_byte(out, '\n');
}

/* A row whose file has an ambiguous name is only counted: editors would jump to another file. */
static void put_rows(nytp_buf *out, const hot *h) {
    uint32_t shown = 0, hidden = 0;
    nytp_buf name = {0};
    for (uint32_t i = 0; i < h->n && shown < (uint32_t)h->r->values[TOP].number; i++) {
        nytp_str file = name_of(h->p, h->rows[i].file);
        if (!nytp_selection_shows(h->r->selection, h->rows[i].ticks)) continue;
        if (file.n) shown++, put_row(out, h, &h->rows[i], file, &name);
        else hidden++;
    }
    if (hidden) nytp_text_around(out, "(left out: ", hidden, " in files with :NUMBER or a newline in the name)\n");
    nytp_buf_done(&name, out);
}

/* ---- the report ---- */

static size_t most_rows(const hot *h) {
    size_t n = h->p->subs_n;
    for (uint32_t i = 0; i < h->p->files_n && h->level != NYTP_LEVEL_SUB; i++) n += h->p->files[i].level[h->level].n;
    return n + 1;
}

/* The most callers of a sub. */
static size_t most_calls(const nytp_profile *p) {
    size_t most = 0;
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (p->subs[i].callers.n > most) most = p->subs[i].callers.n;
    return most + 1;
}

static void collect(hot *h) {
    if (h->level == NYTP_LEVEL_SUB)
        for (uint32_t sub = 0; sub < h->p->subs_n; sub++) add_sub(h, sub);
    else {
        add_lines(h);
        join_places(h);
    }
    qsort(h->rows, h->n, sizeof *h->rows, h->by_count ? by_count : by_time);
}

static enum nytp_level level_of(const char *word) {
    return *word == 'l' ? NYTP_LEVEL_LINE : *word == 'b' ? NYTP_LEVEL_BLOCK : NYTP_LEVEL_SUB;
}

static int write_rows(hot *h, nytp_sink *sink) {
    nytp_buf out = {0};
    collect(h);
    put_rows(&out, h);
    int code = out.failed ? NYTP_NOMEM : nytp_sink_put(sink, NYTP_LIT("nytprof.hot"), out.p, out.n);
    nytp_buf_free(&out);
    return code;
}

static int write_hot(const nytp_request *r, nytp_sink *sink) {
    hot h = {.r = r, .p = r->profiles, .level = level_of(r->values[BY].text), .is_apart = r->values[APART].given != 0,
             .by_count = strcmp(r->values[SORT].text, "count") == 0};
    h.rows = calloc(most_rows(&h), sizeof *h.rows);
    h.calls = calloc(most_calls(h.p), sizeof *h.calls);
    int code = !h.rows || !h.calls || nytp_bodies_find(&h.bodies, h.p) ? NYTP_NOMEM : NYTP_OK;
    if (!code) h.words = nytp_words_find(&h.bodies.arena, h.p);
    code = h.words ? write_rows(&h, sink) : NYTP_NOMEM;
    nytp_bodies_free(&h.bodies);
    free(h.rows);
    free(h.calls);
    return code;
}

const nytp_report nytp_hot_report = {
    .name = "hot",
    .summary = "prints the hottest lines or subs as messages that editors jump to",
    .task = NYTP_TASK_LOOK,
    .output = "-",
    .is_page = 1,
    .args = args,
    .write = write_hot,
};
