/* SPDX-License-Identifier: MIT */
/* chrome.c - a timeline in the trace event format of Chrome, for Perfetto, chrome://tracing and speedscope.
 *
 * Each process is an event from its start on; with calls=2 each call is one, too. Times are microseconds with three
 * decimals since the first process began. The event of a process with calls has the time that these and its main
 * program took, without the profiler's own cost, of another one the time that passed. Viewers cope with about a million
 * events, so there is a limit, which leaves out the shortest calls. */
#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "export/chrome_build.h"
#include "model/moments.h"
#include "model/named.h"
#include "model/quantile.h"
#include "report/json.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"

enum { MIN_TIME, EVENTS, FILTER, PACKAGE, SOURCE, EVALS };

static const nytp_arg args[] = {
    [MIN_TIME] = {.name = "min-time", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .most = 1e9,
                  .fallback = "0", .help = "only calls that took as long"},
    [EVENTS] = {.name = "events", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 4000000000u,
                .fallback = "1000000", .help = "at most N calls, without the shortest ones"},
    [FILTER] = NYTP_ARGS_FILTER,
    [PACKAGE] = NYTP_ARGS_PACKAGE,
    [SOURCE] = NYTP_ARGS_SOURCE,
    [EVALS] = NYTP_ARGS_EVALS,
    NYTP_ARGS_CLASSES,
    {0},
};

typedef struct chrome {
    const nytp_request *r;
    const nytp_profile *p;
    nytp_json json;
    nytp_buf name;
    uint64_t origin; /* ns since the epoch */
    int64_t least;   /* ticks of a call */
    uint64_t *begins; /* ns, of the running calls */
    uint32_t depth, room;
} chrome;

static uint64_t nanoseconds(const chrome *c, int64_t ticks) {
    return nytp_units_whole(ticks, c->p->ticks_per_second, NYTP_NANOSECONDS);
}

/* ---- which calls ---- */

static int is_chosen(const chrome *c, const nytp_span *span) {
    return span->length >= c->least && nytp_selection_has(c->r->selection, span->sub);
}

static uint64_t count(const chrome *c) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->p->processes_n; i++) {
        const nytp_process *process = &c->p->processes[i];
        for (uint32_t k = 0; k < process->spans_n; k++) n += (uint64_t)is_chosen(c, &process->spans[k]);
    }
    return n;
}

/* The least time is doubled until there are few enough calls. */
static void choose(chrome *c) {
    const nytp_arg_value *v = c->r->values;
    c->least = INT64_MIN;
    if (v[MIN_TIME].given) c->least = nytp_ticks_whole(v[MIN_TIME].number * (double)c->p->ticks_per_second);
    while ((double)count(c) > v[EVENTS].number && c->least < INT64_MAX / 2) c->least = c->least > 0 ? 2 * c->least : 1;
}

/* ---- events ---- */

static void begin_event(nytp_json *j, const char *kind, const nytp_process *process) {
    nytp_json_object(j, NULL);
    nytp_json_text(j, "ph", kind);
    nytp_json_number(j, "pid", process->id.pid);
    nytp_json_number(j, "tid", process->id.thread + (uint64_t)1);
}

static void put_time(nytp_json *j, uint64_t begin, uint64_t length) {
    nytp_json_decimal(j, "ts", (int64_t)begin, 3);
    nytp_json_decimal(j, "dur", (int64_t)length, 3);
}

/* What viewers show beside a process: its name, that of its thread, labels. */
static void put_shown(nytp_json *j, const nytp_process *process, const char *what, const char *key, nytp_str text) {
    begin_event(j, "M", process);
    nytp_json_text(j, "name", what);
    nytp_json_object(j, "args");
    nytp_json_name(j, key, text);
    nytp_json_end(j);
    nytp_json_end(j);
}

static void put_parent(chrome *c, const nytp_process *process) {
    nytp_text_around(&c->name, "child of ", process->parent_pid, "");
    put_shown(&c->json, process, "process_labels", "labels", nytp_page_bytes(&c->name));
    nytp_buf_rewind(&c->name);
}

static void put_process(chrome *c, const nytp_process *process, uint64_t begin) {
    nytp_json *j = &c->json;
    put_shown(j, process, "process_name", "name", process->program);
    put_shown(j, process, "thread_name", "name", process->start_sub.n ? process->start_sub : process->interpreter);
    if (process->parent_pid) put_parent(c, process);
    begin_event(j, "X", process);
    nytp_json_name(j, "name", process->program);
    nytp_json_text(j, "cat", "process");
    put_time(j, begin, nanoseconds(c, process->spans_n ? process->spent : process->elapsed));
    nytp_json_end(j);
}

/* A moment, for all of its process. */
static void put_mark(nytp_json *j, const nytp_process *process, nytp_str name, uint64_t at) {
    begin_event(j, "i", process);
    nytp_json_name(j, "name", name);
    nytp_json_text(j, "cat", "mark");
    nytp_json_decimal(j, "ts", (int64_t)at, 3);
    nytp_json_text(j, "s", "p");
    nytp_json_end(j);
}

/* The beginning or end of a stretch, which others may overlap. */
static void put_bound(nytp_json *j, const nytp_process *process, nytp_str name, const char *kind, uint64_t at,
                      uint64_t id) {
    begin_event(j, kind, process);
    nytp_json_name(j, "name", name);
    nytp_json_text(j, "cat", "span");
    nytp_json_decimal(j, "ts", (int64_t)at, 3);
    nytp_json_number(j, "id", id);
    nytp_json_end(j);
}

static uint64_t since(const chrome *c, uint64_t moment) { return moment > c->origin ? moment - c->origin : 0; }

/* The marks of the program, and the longest of its spans of each name. */
static void put_named(chrome *c) {
    const nytp_profile *p = c->p;
    uint32_t n;
    const nytp_labelled **spans = nytp_named_order(p, NYTP_LABEL_SPAN, &n);
    for (uint32_t i = 0; i < p->marks_n; i++)
        put_mark(&c->json, &p->processes[p->marks[i].process], p->marks[i].name, since(c, p->marks[i].at));
    for (uint32_t i = 0; spans && i < n; i++) {
        const nytp_lengths *all = &spans[i]->all;
        const nytp_process *process = &p->processes[all->process];
        uint64_t begin = since(c, all->began);
        put_bound(&c->json, process, spans[i]->name, "b", begin, i + 1);
        put_bound(&c->json, process, spans[i]->name, "e", begin + nytp_quantile_longest(all), i + 1);
    }
    if (!spans) c->json.out->failed = 1;
    free(spans);
}

/* In the order of their ends, as the time of an end is known only then. */
static void put_call(chrome *c, const nytp_process *process, const nytp_moment *m, uint64_t origin) {
    nytp_json *j = &c->json;
    const nytp_sub *s = &c->p->subs[m->span->sub];
    uint64_t begin = c->begins[c->depth];
    nytp_names_sub(&c->name, c->p, s);
    begin_event(j, "X", process);
    nytp_json_name(j, "name", nytp_page_bytes(&c->name));
    nytp_json_text(j, "cat", s->flags & (NYTP_SUB_XSUB | NYTP_SUB_OPCODE) ? "native" : "sub");
    put_time(j, origin + begin, nanoseconds(c, m->at) - begin);
    nytp_json_end(j);
    nytp_buf_rewind(&c->name);
}

static void take(chrome *c, const nytp_process *process, const nytp_moment *m, uint64_t origin) {
    if (m->is_end) {
        c->depth--;
        if (is_chosen(c, m->span)) put_call(c, process, m, origin);
        return;
    }
    uint64_t *begin = nytp_grow_owned(&c->begins, c->depth, &c->room, sizeof *begin);
    if (!begin) c->json.out->failed = 1;
    else c->begins[c->depth++] = nanoseconds(c, m->at);
}

static void put_calls(chrome *c, const nytp_process *process, uint64_t origin) {
    nytp_moments moments = nytp_moments_of(process);
    for (nytp_moment m; !c->json.out->failed && nytp_moments_next(&moments, &m);) take(c, process, &m, origin);
    if (moments.failed) c->json.out->failed = 1;
    nytp_moments_free(&moments);
    c->depth = 0;
}

/* ---- the report ---- */

static void put_all(chrome *c) {
    nytp_json *j = &c->json;
    nytp_json_object(j, NULL);
    nytp_json_array(j, "traceEvents");
    for (uint32_t i = 0; i < c->p->processes_n; i++) {
        const nytp_process *process = &c->p->processes[i];
        uint64_t begin = nytp_profile_began(process, c->origin);
        put_process(c, process, begin);
        put_calls(c, process, begin);
    }
    put_named(c);
    nytp_json_end(j);
    nytp_json_text(j, "displayTimeUnit", "ns");
    nytp_json_object(j, "otherData");
    nytp_json_text(j, "exporter", "NYTProf");
    if (c->least > 0) nytp_json_decimal(j, "least_us", (int64_t)nanoseconds(c, c->least), 3);
    nytp_json_end(j);
    nytp_json_end(j);
    nytp_json_finish(j);
}

static int write_chrome(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    chrome c = {.r = r, .p = r->profiles, .json = {.out = &out, .sink = sink, .lines = 2},
                .origin = nytp_profile_first_start(r->profiles)};
    choose(&c);
    nytp_sink_begin(sink, NYTP_LIT("nytprof.chrome.json"));
    put_all(&c);
    nytp_buf_done(&c.name, &out);
    free(c.begins);
    return nytp_sink_finish(sink, &out, NYTP_OK);
}

const nytp_report nytp_chrome_report = {
    .name = "chrome",
    .task = NYTP_TASK_EXPORT,
    .summary = "writes a timeline of processes, and with calls=2 of calls",
    .output = "nytprof.chrome.json",
    .is_page = 1,
    .wants_calls = 1,
    .args = args,
    .write = write_chrome,
    .write_build = nytp_chrome_build_write,
};
