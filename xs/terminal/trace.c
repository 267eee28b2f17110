/* SPDX-License-Identifier: MIT */
/* trace.c - calls and returns in their order, of a capture with calls=2: as a tree of calls with their durations, or as
 * a line for each call and each return.
 *
 * Times are since the process began, without the profiler's own cost, so the durations of a sub's calls add up to its
 * inclusive time. */
#include <string.h>

#include "base/ticks.h"
#include "model/moments.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"
#include "terminal/gprof.h"
#include "terminal/traced.h"

#define TIME_WIDTH 12  /* "  201.007108" */
#define DURATION_WIDTH 9
#define INDENT 2
#define DEEPEST 25     /* calls deeper than this are not indented further */
#define LABEL_WIDTH 10 /* "[1000000] " */
#define TABLE_WIDTH 20 /* of each column */
#define LEAST_NAME 20

enum { STYLE, LAST, MIN_TIME, FILTER, PACKAGE, SOURCE, FROM, EVALS };

static const nytp_arg args[] = {
    [STYLE] = {.name = "style", .kind = NYTP_ARG_WORD, .value = "STYLE", .fallback = "tree",
               .words = "tree secusec table", .help = "tree: a line for a call; secusec, table: also for its return"},
    [LAST] = {.name = "last", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 4000000000u,
              .help = "only the last N lines of each process"},
    [MIN_TIME] = {.name = "min-time", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .most = 1e9,
                  .help = "only calls that took as long, or did not end"},
    [FILTER] = NYTP_ARGS_FILTER,
    [PACKAGE] = NYTP_ARGS_PACKAGE,
    [SOURCE] = NYTP_ARGS_SOURCE,
    [FROM] = NYTP_ARGS_FROM,
    [EVALS] = NYTP_ARGS_EVALS,
    {0},
};

typedef struct trace {
    const nytp_request *r;
    const nytp_profile *p;
    nytp_buf out, name, cell;
    nytp_sink *sink;
    void (*put)(struct trace *t, const nytp_moment *m);
    int32_t is_tree;
    int64_t least;           /* ticks of a call */
    uint32_t depth;          /* of the calls that are shown */
    uint32_t inside;         /* running calls of the subs of --from */
} trace;

/* ---- styles ---- */

static nytp_str name_of(trace *t, uint32_t sub) {
    nytp_buf_rewind(&t->cell);
    nytp_buf_rewind(&t->name);
    nytp_names_sub(&t->cell, t->p, &t->p->subs[sub]);
    nytp_escape_text(&t->name, nytp_page_bytes(&t->cell));
    nytp_buf_rewind(&t->cell);
    return nytp_page_bytes(&t->name);
}

static uint64_t in(const trace *t, int64_t ticks, uint64_t rate) {
    return nytp_units_whole(ticks, t->p->ticks_per_second, rate);
}

/* "sec:00 usec:201007 called main" */
static void put_secusec(trace *t, const nytp_moment *m) {
    uint64_t us = in(t, m->at, 1000000);
    nytp_text_format(&t->out, "sec:%02llu usec:%06llu %s ", (unsigned long long)(us / 1000000),
                     (unsigned long long)(us % 1000000), m->is_end ? "returned" : "called");
    nytp_text_str(&t->out, name_of(t, m->span->sub));
}

static void put_padded(nytp_buf *out, nytp_str text) {
    uint32_t width = nytp_cells_width(text);
    nytp_text_str(out, text);
    nytp_cells_blanks(out, width < TABLE_WIDTH ? TABLE_WIDTH - width : 0);
}

/* Columns of 20: microseconds, call or return, the sub. */
static void put_table(trace *t, const nytp_moment *m) {
    uint64_t ns = in(t, m->at, 1000000000);
    nytp_buf_rewind(&t->cell);
    nytp_text_format(&t->cell, "%llu.%03u", (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
    put_padded(&t->out, nytp_page_bytes(&t->cell));
    nytp_buf_byte(&t->out, ':');
    put_padded(&t->out, m->is_end ? NYTP_LIT("return") : NYTP_LIT("call"));
    put_padded(&t->out, name_of(t, m->span->sub));
}

static void put_duration(trace *t, const nytp_span *span) {
    nytp_buf_rewind(&t->cell);
    if (span->is_open) nytp_text_put(&t->cell, "no end");
    else nytp_units_time(&t->cell, nytp_profile_seconds(t->p, span->length));
    nytp_cells_right(&t->out, nytp_page_bytes(&t->cell), DURATION_WIDTH);
}

/* Calls deeper than this have a label. On a terminal it, and a name, have room behind the indentation. */
static uint32_t deepest(const trace *t) {
    uint32_t others = TIME_WIDTH + DURATION_WIDTH + 2 + LABEL_WIDTH + LEAST_NAME;
    uint32_t most = t->r->width > others ? (t->r->width - others) / INDENT : 0;
    return t->r->is_terminal && most < DEEPEST ? most : DEEPEST;
}

static void put_call(trace *t, const nytp_moment *m) {
    uint64_t us = in(t, m->at, 1000000);
    uint32_t most = deepest(t), room = 0;
    size_t line = t->out.n;
    nytp_buf_rewind(&t->cell);
    nytp_text_format(&t->cell, "%llu.%06u", (unsigned long long)(us / 1000000), (unsigned)(us % 1000000));
    nytp_cells_right(&t->out, nytp_page_bytes(&t->cell), TIME_WIDTH);
    put_duration(t, m->span);
    nytp_cells_blanks(&t->out, INDENT * (t->depth < most ? t->depth : most) + 2);
    if (t->depth > most) nytp_text_around(&t->out, "[", t->depth, "] ");
    if (t->r->is_terminal) {
        uint32_t taken = nytp_cells_width((nytp_str){(const char *)t->out.p + line, t->out.n - line});
        room = t->r->width > taken + LEAST_NAME ? t->r->width - taken : LEAST_NAME;
    }
    nytp_gprof_cut(&t->out, name_of(t, m->span->sub), room);
}

/* ---- moments ---- */

static int is_from(const trace *t, uint32_t sub) { return t->r->selection->from && t->r->selection->from[sub]; }

/* Whether the call is shown. It is asked for at its beginning and at its end, with the same answer. */
static int is_shown(const trace *t, const nytp_span *span) {
    if (t->r->selection->from && !t->inside) return 0;
    if (!span->is_open && span->length < t->least) return 0;
    return nytp_selection_has(t->r->selection, span->sub);
}

/* Tells the next shown moment of those that have a line: 1, or 0 at the end. */
static int next_line(trace *t, nytp_moments *moments, nytp_moment *m) {
    while (nytp_moments_next(moments, m)) {
        if (!m->is_end) t->inside += (uint32_t)is_from(t, m->span->sub);
        int shown = is_shown(t, m->span);
        if (m->is_end) t->inside -= (uint32_t)is_from(t, m->span->sub);
        if (shown && m->is_end) t->depth--;
        if (shown && !(m->is_end && (t->is_tree || m->span->is_open))) return 1;
    }
    return 0;
}

/* Calls what follows a line: a call that begins is around later ones. */
static void pass(trace *t, const nytp_moment *m) { t->depth += !m->is_end; }

static nytp_moments restart(trace *t, const nytp_process *process) {
    t->depth = t->inside = 0;
    return nytp_moments_of(process);
}

static uint64_t count_lines(trace *t, const nytp_process *process) {
    nytp_moments moments = restart(t, process);
    uint64_t n = 0;
    for (nytp_moment m; next_line(t, &moments, &m); n++) pass(t, &m);
    if (moments.failed) t->out.failed = 1;
    nytp_moments_free(&moments);
    return n;
}

static void put_process(trace *t, const nytp_process *process) {
    const nytp_arg_value *last = &t->r->values[LAST];
    uint64_t most = last->given ? (uint64_t)last->number : UINT64_MAX, n = last->given ? count_lines(t, process) : 0;
    uint64_t skipped = n > most ? n - most : 0;
    nytp_moments moments = restart(t, process);
    nytp_traced_heading(&t->out, t->p, process);
    for (nytp_moment m; !t->out.failed && next_line(t, &moments, &m); pass(t, &m)) {
        if (skipped && skipped--) continue;
        t->put(t, &m);
        nytp_buf_byte(&t->out, '\n');
        if (nytp_sink_drain(t->sink, &t->out, NYTP_SINK_PIECE)) break;
    }
    if (moments.failed) t->out.failed = 1;
    nytp_moments_free(&moments);
}

/* ---- the report ---- */

static void (*put_of(const char *style))(trace *, const nytp_moment *) {
    return strcmp(style, "secusec") == 0 ? put_secusec : strcmp(style, "table") == 0 ? put_table : put_call;
}

static int write_trace(const nytp_request *r, nytp_sink *sink) {
    trace t = {.r = r, .p = r->profiles, .sink = sink, .put = put_of(r->values[STYLE].text)};
    t.is_tree = t.put == put_call;
    t.least = r->values[MIN_TIME].given
                  ? nytp_ticks_whole(r->values[MIN_TIME].number * (double)t.p->ticks_per_second) : INT64_MIN;
    if (nytp_traced_check(t.p, sink)) return NYTP_USAGE;
    nytp_sink_begin(sink, NYTP_LIT("nytprof.trace"));
    if (t.is_tree) nytp_text_put(&t.out, "     seconds duration  call\n");
    for (uint32_t i = 0; i < t.p->processes_n; i++)
        if (t.p->processes[i].spans_n) put_process(&t, &t.p->processes[i]);
    nytp_buf_done(&t.name, &t.out);
    nytp_buf_done(&t.cell, &t.out);
    return nytp_sink_finish(sink, &t.out, NYTP_OK);
}

const nytp_report nytp_trace_report = {
    .name = "trace",
    .task = NYTP_TASK_LOOK,
    .summary = "prints calls and returns in their order (calls=2)",
    .output = "-",
    .is_page = 1,
    .wants_calls = 1,
    .args = args,
    .write = write_trace,
};
