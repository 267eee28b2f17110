/* SPDX-License-Identifier: MIT */
/* syscap.c - the profile as a capture of Sysprof.
 *
 * Samples there have no weight: one stands for a quantum of time, a part of the whole run, and what a path has beyond
 * whole quanta counts for the next one. A path's samples follow each other, evenly spaced, the path with the most time
 * first. Addresses are numbers of subs, with names by jitmaps. All numbers are little-endian. */
#include <stdlib.h>
#include <time.h>

#include "base/ticks.h"
#include "export/spots.h"
#include "model/metrics.h"
#include "model/named.h"
#include "model/quantile.h"
#include "report/escape.h"
#include "report/registry.h"
#include "report/text.h"

#define QUANTA 20000u /* in a run, about */
#define ADDRESSES 0xE000000000000000u /* of subs: with the index in the profile */
#define MAGIC 0xFDCA975Eu
#define LONGEST 2000u /* bytes of a name */
#define JITMAP_BYTES 32768u /* bytes of names after which another jitmap begins */
#define COUNTERS 8u   /* in a group of values */

enum { SAMPLE = 2, PROCESS = 4, FORK, EXIT, JITMAP, COUNTER_DEFINE, COUNTER_SET, MARK };

typedef struct syscap {
    const nytp_profile *p;
    nytp_sink *sink;
    nytp_buf out, body; /* body: of the frame that is written */
    nytp_spots spots;
    uint64_t quantum, taken; /* ns; time of all paths so far, and half a quantum to round */
    uint64_t begin, end;     /* of the run, in ns since the epoch */
} syscap;

/* ---- frames ---- */

/* Appends as much of a name as fits, whole characters, and NULs up to `size` bytes; size 0: one NUL behind it. */
static void put_name(nytp_buf *out, nytp_str name, size_t size) {
    size_t most = size ? size - 1 : LONGEST;
    nytp_buf text = {0};
    nytp_escape_text(&text, (nytp_str){name.p, name.n < LONGEST ? name.n : LONGEST});
    size_t n = text.n < most ? text.n : most;
    while (n < text.n && n && (text.p[n] & 0xC0) == 0x80) n--;
    nytp_buf_bytes(out, text.p, n);
    do nytp_buf_byte(out, 0);
    while (++n < size);
    nytp_buf_done(&text, out);
}

/* Writes the body as a frame, of a multiple of eight bytes. */
static void end_frame(syscap *x, int type, uint32_t pid, uint64_t time) {
    static const unsigned char padding[8];
    nytp_buf_bytes(&x->body, padding, (8 - x->body.n % 8) % 8);
    nytp_buf_le(&x->out, 24 + x->body.n, 2);
    nytp_buf_le(&x->out, 0xFFFF, 2); /* on no processor in particular */
    nytp_buf_le(&x->out, pid, 4);
    nytp_buf_le(&x->out, time, 8);
    nytp_buf_le(&x->out, (uint64_t)type, 8);
    nytp_buf_bytes(&x->out, x->body.p, x->body.n);
    if (x->body.failed) x->out.failed = 1;
    nytp_buf_rewind(&x->body);
    nytp_sink_drain(x->sink, &x->out, NYTP_SINK_PIECE);
}

/* ---- the run ---- */

static uint64_t start_of(const syscap *x, const nytp_process *process) {
    return x->begin + nytp_profile_began(process, x->begin);
}

static uint64_t end_of(const syscap *x, const nytp_process *process) {
    return start_of(x, process) + (process->elapsed > 0 ? (uint64_t)process->elapsed : 0);
}

/* From the start of the first process to the end of the last one. */
static void put_head(syscap *x) {
    char text[64] = "";
    x->begin = nytp_profile_first_start(x->p);
    for (uint32_t i = 0; i < x->p->processes_n; i++) {
        uint64_t end = end_of(x, &x->p->processes[i]);
        if (end > x->end) x->end = end;
    }
    struct tm tm;
    time_t when = (time_t)(x->begin / NYTP_NANOSECONDS);
    if (gmtime_r(&when, &tm)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    nytp_buf_le(&x->out, MAGIC, 4);
    nytp_buf_le(&x->out, 0x101, 4); /* version 1, little-endian */
    put_name(&x->out, nytp_str_c(text), 64);
    nytp_buf_le(&x->out, x->begin, 8);
    nytp_buf_le(&x->out, x->end, 8);
    put_name(&x->out, NYTP_LIT(""), 168);
}

/* A stretch, or with length 0 a moment. A name that is too long for its place is the message, too. */
static void put_mark(syscap *x, uint32_t pid, const char *group, nytp_str name, uint64_t at, uint64_t length) {
    nytp_buf_le(&x->body, length, 8);
    put_name(&x->body, nytp_str_c(group), 24);
    put_name(&x->body, name, 40);
    put_name(&x->body, name, 0);
    end_frame(x, MARK, pid, at);
}

static void put_process(syscap *x, const nytp_process *process) {
    if (process->parent_pid) {
        nytp_buf_le(&x->body, process->id.pid, 4);
        end_frame(x, FORK, (uint32_t)process->parent_pid, start_of(x, process));
    }
    put_name(&x->body, process->program, 0);
    end_frame(x, PROCESS, process->id.pid, start_of(x, process));
    nytp_buf_le(&x->body, end_of(x, process) - start_of(x, process), 8);
    put_name(&x->body, process->interpreter, 24);
    put_name(&x->body, NYTP_LIT("run"), 40);
    nytp_text_around(&x->body, "a sample is ", x->quantum, " ns");
    nytp_buf_byte(&x->body, 0);
    end_frame(x, MARK, process->id.pid, start_of(x, process));
}

static void put_processes(syscap *x) {
    for (uint32_t i = 0; i < x->p->processes_n; i++) put_process(x, &x->p->processes[i]);
}

/* The marks of the program, and the longest of its spans of each name. Returns an nytp_code. */
static int put_named(syscap *x) {
    const nytp_profile *p = x->p;
    uint32_t n;
    const nytp_labelled **spans = nytp_named_order(p, NYTP_LABEL_SPAN, &n);
    for (uint32_t i = 0; i < p->marks_n; i++)
        put_mark(x, p->processes[p->marks[i].process].id.pid, "mark", p->marks[i].name, p->marks[i].at, 0);
    for (uint32_t i = 0; spans && i < n; i++) {
        const nytp_lengths *all = &spans[i]->all;
        put_mark(x, p->processes[all->process].id.pid, "longest span", spans[i]->name, all->began,
                 nytp_quantile_longest(all));
    }
    free(spans);
    return spans ? NYTP_OK : NYTP_NOMEM;
}

static void put_exits(syscap *x) {
    for (uint32_t i = 0; i < x->p->processes_n; i++)
        if (nytp_profile_has_ended(&x->p->processes[i]))
            end_frame(x, EXIT, x->p->processes[i].id.pid, end_of(x, &x->p->processes[i]));
}

/* ---- counters: metrics of the whole run, which begin with 0 ---- */

static uint32_t pid_of(const syscap *x) { return x->p->processes_n ? x->p->processes[0].id.pid : 0; }

static void put_counters(syscap *x, const nytp_shown *shown) {
    nytp_buf_le(&x->body, shown->n, 8);
    for (uint32_t i = 0; i < shown->n; i++) {
        const nytp_metric *m = &x->p->metrics[shown->at[i]];
        put_name(&x->body, NYTP_LIT("Profile"), 32);
        put_name(&x->body, m->name, 32);
        put_name(&x->body, m->title, 52);
        nytp_buf_le(&x->body, i + 1, 4); /* a 64-bit integer */
        nytp_buf_le(&x->body, 0, 8);
    }
    if (shown->n) end_frame(x, COUNTER_DEFINE, pid_of(x), x->begin);
    nytp_buf_rewind(&x->body);
}

static void put_counted(syscap *x, const nytp_shown *shown) {
    nytp_buf_le(&x->body, (shown->n + COUNTERS - 1) / COUNTERS, 8);
    for (uint32_t i = 0; i < shown->n; i += COUNTERS) {
        for (uint32_t k = i; k < i + COUNTERS; k++) nytp_buf_le(&x->body, k < shown->n ? k + 1 : 0, 4);
        for (uint32_t k = i; k < i + COUNTERS; k++) {
            int64_t value = k < shown->n ? nytp_metrics_get(x->p, shown->at[k], x->p->totals.values) : 0;
            nytp_buf_le(&x->body, (uint64_t)value, 8);
        }
    }
    if (shown->n) end_frame(x, COUNTER_SET, pid_of(x), x->end);
    nytp_buf_rewind(&x->body);
}

/* ---- subs and samples ---- */

static void end_jitmap(syscap *x, nytp_buf *names, uint32_t *n) {
    nytp_buf_le(&x->body, *n, 4);
    nytp_buf_bytes(&x->body, names->p, names->n);
    if (*n) end_frame(x, JITMAP, pid_of(x), x->begin);
    nytp_buf_rewind(&x->body);
    nytp_buf_rewind(names);
    *n = 0;
}

/* Names all subs with a spot, in the order of spots. Returns an nytp_code. */
static int put_subs(syscap *x) {
    unsigned char *is_named = calloc(x->p->subs_n + (size_t)1, 1);
    nytp_buf names = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->spots.n && is_named; i++) {
        uint32_t sub = x->spots.at[i].sub;
        if (is_named[sub]) continue;
        is_named[sub] = 1;
        nytp_buf_le(&names, ADDRESSES | sub, 8);
        put_name(&names, x->p->subs[sub].name, 0);
        n++;
        if (names.n > JITMAP_BYTES) end_jitmap(x, &names, &n);
    }
    end_jitmap(x, &names, &n);
    nytp_buf_done(&names, &x->out);
    free(is_named);
    return is_named ? NYTP_OK : NYTP_NOMEM;
}

/* The sum of a hostile profile stays at its end. */
static uint64_t plus(uint64_t sum, int64_t ns) {
    if (ns <= 0) return sum;
    return (uint64_t)ns < INT64_MAX - sum ? sum + (uint64_t)ns : INT64_MAX;
}

/* A sample's time: at least 1 ns. */
static uint64_t quantum_of(const nytp_calltree *t) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < t->n; i++) all = plus(all, t->at[i].self);
    return all > QUANTA ? (all + QUANTA - 1) / QUANTA : 1;
}

/* The path to a node, which ends as often as the time of all paths so far has another quantum. */
static void put_path(syscap *x, uint32_t i, const nytp_process *process, uint64_t *time) {
    const nytp_calltree *t = &x->spots.tree;
    uint64_t before = x->taken / x->quantum;
    x->taken = plus(x->taken, t->at[i].self);
    for (uint64_t n = x->taken / x->quantum - before; n; n--) {
        nytp_buf_le(&x->body, t->at[i].depth - 1u, 4);
        nytp_buf_le(&x->body, process->id.thread ? process->id.thread : process->id.pid, 4);
        for (uint32_t at = i; !nytp_spots_is_process(&x->spots, at); at = t->at[at].parent)
            nytp_buf_le(&x->body, ADDRESSES | nytp_spots_at(&x->spots, at)->sub, 8);
        end_frame(x, SAMPLE, process->id.pid, *time < x->end ? *time : x->end);
        *time += x->quantum;
    }
}

static void put_samples(syscap *x) {
    static const nytp_process lost;
    const nytp_calltree *t = &x->spots.tree;
    const nytp_process *process = &lost;
    uint64_t time = 0;
    for (uint32_t i = nytp_calltree_next(t, 0); i && !x->out.failed; i = nytp_calltree_next(t, i)) {
        if (!nytp_spots_is_process(&x->spots, i)) put_path(x, i, process, &time);
        else {
            process = t->at[i].callee < x->p->processes_n ? &x->p->processes[t->at[i].callee] : &lost;
            time = start_of(x, process);
        }
    }
}

static int put_all(syscap *x, const nytp_request *r) {
    nytp_shown shown = nytp_shown_of(&r->shown, x->p, NYTP_OF_NODE);
    if (nytp_spots_make(&x->spots, x->p, r->selection, 0)) return NYTP_NOMEM;
    x->quantum = quantum_of(&x->spots.tree);
    x->taken = x->quantum / 2;
    put_head(x);
    put_processes(x);
    int code = put_named(x);
    put_counters(x, &shown);
    if (!code) code = put_subs(x);
    put_samples(x);
    put_counted(x, &shown);
    put_exits(x);
    return code;
}

static int write_syscap(const nytp_request *r, nytp_sink *sink) {
    syscap x = {.p = r->profiles, .sink = sink};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.syscap"));
    int code = put_all(&x, r);
    nytp_buf_free(&x.body);
    nytp_spots_free(&x.spots);
    return nytp_sink_finish(sink, &x.out, code);
}

static const nytp_arg args[] = {NYTP_ARGS_METRIC, NYTP_ARGS_PATHS, {0}};

const nytp_report nytp_syscap_report = {
    .name = "syscap",
    .summary = "writes call paths and processes for Sysprof",
    .output = "nytprof.syscap",
    .is_page = 1,
    .is_binary = 1,
    .is_apart = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_syscap,
};
