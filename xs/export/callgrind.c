/* SPDX-License-Identifier: MIT */
/* callgrind.c - the profile in the format of valgrind's callgrind, for kcachegrind and callgrind_annotate.
 *
 * One block a sub: its own time by lines, then the calls it makes, on the lines it makes them from. Code of evals and
 * behind `# line` is inlined from a file of its own. Times are nanoseconds; metrics are further events, the ranking one
 * first, as viewers sort by the first event, and are on a sub's first line. Nested calls of a recursion have neither,
 * so that inclusive figures are not counted twice. The last event is statements, without those of callees: calls lack
 * it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "model/costs.h"
#include "report/escape.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"

typedef struct callgrind {
    const nytp_profile *p;
    nytp_buf *out;
    unsigned char *named_files, *named_subs; /* 1: the number has been defined */
    uint32_t *calls; /* indexes of edges, by caller and call site */
    nytp_costs costs;
    uint64_t total;  /* sum of the times written */
    int64_t values[NYTP_FORMAT_METRICS]; /* sums of the metrics written */
    nytp_shown shown;
} callgrind;

static uint64_t nanoseconds(const callgrind *c, int64_t ticks) {
    return nytp_units_whole(ticks, c->p->ticks_per_second, NYTP_NANOSECONDS);
}

/* Events in order: time is the first, or the second where a metric ranks. NULL is time. */
static const nytp_metric *event_at(const callgrind *c, uint32_t i) {
    uint32_t time = c->shown.ranks ? 1 : 0;
    return i == time ? NULL : &c->p->metrics[c->shown.at[i - (i > time)]];
}

static int has_statements(const callgrind *c) { return c->p->totals.statements != 0; }

/* All events but the last one, statements. */
static void put_numbers(const callgrind *c, uint64_t ns, const int64_t *values) {
    for (uint32_t i = 0; i <= c->shown.n; i++) {
        const nytp_metric *m = event_at(c, i);
        if (i) nytp_buf_byte(c->out, ' ');
        if (m) nytp_text_signed(c->out, values[m - c->p->metrics]);
        else nytp_text_number(c->out, ns);
    }
}

static void put_values(const callgrind *c, uint64_t ns, uint32_t row) {
    int64_t values[NYTP_FORMAT_METRICS];
    for (uint32_t i = 0; i < c->p->metrics_n; i++) values[i] = nytp_metrics_get(c->p, i, row);
    put_numbers(c, ns, values);
}

static void put_statements(const callgrind *c, int64_t count) {
    if (has_statements(c)) nytp_buf_byte(c->out, ' ');
    if (has_statements(c)) nytp_text_signed(c->out, count);
    nytp_buf_byte(c->out, '\n');
}

/* "KEY=(17) NAME" the first time, "KEY=(17)" from then on. */
static void put_named(callgrind *c, const char *key, uint32_t number, nytp_str name, unsigned char *is_named) {
    nytp_text_format(c->out, "%s=(%" PRIu32 ")", key, number + 1);
    if (!*is_named) {
        nytp_buf_byte(c->out, ' ');
        nytp_escape_text(c->out, name);
    }
    *is_named = 1;
    nytp_buf_byte(c->out, '\n');
}

static void put_file(callgrind *c, const char *key, uint32_t file) {
    put_named(c, key, file, file ? c->p->files[file].name : NYTP_LIT("???"), &c->named_files[file]);
}

static void put_sub(callgrind *c, const char *key, uint32_t sub) {
    put_named(c, key, sub, c->p->subs[sub].name, &c->named_subs[sub]);
}

/* The file of a sub: without source that of its package, for phases of the program the first. */
static uint32_t file_of(const nytp_profile *p, const nytp_sub *s) {
    if (s->flags & NYTP_SUB_PHASE) return p->files_n > 1 ? 1 : 0;
    return s->file ? s->file : s->home;
}

/* A call in an eval is shown on the line of a real file that ran the eval. A call by perl itself is shown at the
 * caller. */
static uint32_t outermost(const nytp_profile *p, const nytp_edge *e, uint32_t *line) {
    uint32_t file = e->file ? e->file : file_of(p, &p->subs[e->caller]);
    *line = e->line;
    while (p->files[file].parent) {
        *line = p->files[file].parent_line;
        file = p->files[file].parent;
    }
    return file;
}

/* `file` is the current file of the block. */
static void go_to(callgrind *c, uint32_t file, uint32_t *current) {
    if (file != *current) put_file(c, "fi", file);
    *current = file;
}

static void put_line(const callgrind *c, uint32_t line, int64_t ticks, uint32_t values, int64_t count) {
    nytp_text_around(c->out, "", line, " ");
    put_values(c, nanoseconds(c, ticks), values);
    put_statements(c, count);
}

/* The sub's own lines. Its metrics are on the first one, which has a line even without time. */
static void put_lines(callgrind *c, uint32_t sub, uint32_t *file) {
    const nytp_sub *s = &c->p->subs[sub];
    uint32_t own = *file, i = c->costs.first[sub], end = c->costs.first[sub + 1];
    int is_told = 0;
    for (; i < end; i++) {
        const nytp_cost *cost = &c->costs.at[i];
        int is_first = cost->file == s->file && cost->line == s->first_line;
        go_to(c, cost->file ? cost->file : own, file);
        put_line(c, cost->line, cost->ticks, is_first ? s->own : 0, cost->count);
        is_told |= is_first;
    }
    if (is_told || (!s->own && end > c->costs.first[sub])) return;
    go_to(c, own, file);
    put_line(c, s->first_line, 0, s->own, 0);
}

static void put_call(callgrind *c, const nytp_edge *e, uint32_t *file) {
    const nytp_sub *callee = &c->p->subs[e->callee];
    uint32_t line, site = outermost(c->p, e, &line);
    go_to(c, site, file);
    put_file(c, "cfi", file_of(c->p, callee));
    put_sub(c, "cfn", e->callee);
    nytp_text_format(c->out, "calls=%" PRId64 " %" PRIu32 "\n%" PRIu32 " ", e->calls > 0 ? e->calls : 0,
                     callee->first_line, line);
    put_values(c, nanoseconds(c, e->inclusive), e->whole);
    nytp_buf_byte(c->out, '\n');
}

/* The sub's calls are calls[*at] and on. */
static void put_block(callgrind *c, uint32_t sub, uint32_t *at) {
    const nytp_profile *p = c->p;
    const nytp_sub *s = &p->subs[sub];
    uint32_t file = file_of(p, s);
    int calls = *at < p->edges_n && p->edges[c->calls[*at]].caller == sub;
    if (!calls && !s->calls && !s->own && c->costs.first[sub] == c->costs.first[sub + 1]) return;
    nytp_buf_byte(c->out, '\n');
    put_file(c, "fl", file);
    put_sub(c, "fn", sub);
    put_lines(c, sub, &file);
    for (; *at < p->edges_n && p->edges[c->calls[*at]].caller == sub; ++*at) {
        const nytp_edge *e = &p->edges[c->calls[*at]];
        if (!(p->subs[e->callee].flags & NYTP_SUB_PHASE)) put_call(c, e, &file);
    }
}

static void put_events(const callgrind *c) {
    for (uint32_t i = 0; i < c->shown.n; i++) {
        const nytp_metric *m = &c->p->metrics[c->shown.at[i]];
        nytp_text_put(c->out, "event: ");
        nytp_text_str(c->out, m->name);
        nytp_text_put(c->out, " : ");
        nytp_escape_text(c->out, m->title);
        nytp_buf_byte(c->out, '\n');
    }
    if (has_statements(c)) nytp_text_put(c->out, "event: stmts : Statements, without those of callees\n");
    nytp_text_put(c->out, "events:");
    for (uint32_t i = 0; i <= c->shown.n; i++) {
        nytp_buf_byte(c->out, ' ');
        nytp_text_str(c->out, event_at(c, i) ? event_at(c, i)->name : NYTP_LIT("ns"));
    }
    if (has_statements(c)) nytp_text_put(c->out, " stmts");
}

static void put_sums(const callgrind *c, const char *key) {
    nytp_text_put(c->out, key);
    put_numbers(c, c->total, c->values);
    put_statements(c, c->p->totals.statements);
}

static void put_head(callgrind *c, const char *version) {
    const nytp_process *process = c->p->processes_n ? &c->p->processes[0] : NULL;
    nytp_text_put(c->out, "# callgrind format\nversion: 1\ncreator: Devel::NYTProf ");
    nytp_escape_text(c->out, nytp_str_c(version));
    if (process) {
        nytp_text_format(c->out, "\npid: %" PRIu32 "\ncmd: ", process->id.pid);
        nytp_escape_text(c->out, process->program);
    }
    nytp_text_put(c->out, "\npart: 1\npositions: line\nevent: ns : Nanoseconds\n");
    put_events(c);
    put_sums(c, "\nsummary: ");
}

typedef struct call {
    uint32_t caller, file, line, callee, edge;
} call;

static int by_caller(const void *a, const void *b) {
    const call *x = a, *y = b;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static int sort_calls(callgrind *c, nytp_arena *arena) {
    uint32_t n = c->p->edges_n;
    call *calls = nytp_arena_get(arena, n * sizeof *calls + 1);
    c->calls = nytp_arena_get(arena, n * sizeof *c->calls + 1);
    if (!calls || !c->calls) return NYTP_NOMEM;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_edge *e = &c->p->edges[i];
        calls[i] = (call){e->caller, e->file, e->line, e->callee, i};
    }
    qsort(calls, n, sizeof *calls, by_caller);
    for (uint32_t i = 0; i < n; i++) c->calls[i] = calls[i].edge;
    return NYTP_OK;
}

static int put_profile(callgrind *c, const char *version, nytp_arena *arena) {
    const nytp_profile *p = c->p;
    uint32_t at = 0;
    c->named_files = nytp_arena_get(arena, p->files_n);
    c->named_subs = nytp_arena_get(arena, p->subs_n);
    if (!c->named_files || !c->named_subs || sort_calls(c, arena) || nytp_costs_find(&c->costs, p)) return NYTP_NOMEM;
    for (uint32_t i = 0; i < c->costs.n; i++) c->total += nanoseconds(c, c->costs.at[i].ticks);
    for (uint32_t i = 0; i < p->subs_n; i++) {
        for (uint32_t m = 0; m < p->metrics_n; m++)
            c->values[m] = nytp_metrics_join(&p->metrics[m], c->values[m], nytp_metrics_get(p, m, p->subs[i].own));
    }
    put_head(c, version);
    for (uint32_t i = 0; i < p->subs_n; i++) put_block(c, i, &at);
    put_sums(c, "\ntotals: ");
    return c->out->failed ? NYTP_NOMEM : NYTP_OK;
}

static int write_callgrind(const nytp_request *r, nytp_sink *sink) {
    nytp_arena arena = {0};
    nytp_buf out = {0};
    callgrind c = {.p = r->profiles, .out = &out, .shown = nytp_shown_of(&r->shown, r->profiles, NYTP_OF_NODE)};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.callgrind"));
    int code = put_profile(&c, r->version, &arena);
    nytp_costs_free(&c.costs);
    nytp_arena_free(&arena);
    return nytp_sink_finish(sink, &out, code);
}

static const nytp_arg args[] = {
    NYTP_ARGS_METRIC,
    {.name = "split", .use = NYTP_ARG_FOR_SPLIT, .help = "a file for each process, OUT.PID"},
    {0},
};

const nytp_report nytp_callgrind_report = {
    .name = "callgrind",
    .summary = "writes calls and their costs for kcachegrind",
    .output = "nytprof.callgrind",
    .is_page = 1,
    .is_whole = 1,
    .args = args,
    .write = write_callgrind,
};
