/* SPDX-License-Identifier: MIT */
/* samples.c - the calls that were running at each of many moments, a period apart, and in which share of these moments
 * each sub was running.
 *
 * They are computed from calls in their order (calls=2), whose times are without the profiler's own cost. A moment at
 * which a call begins is in the call, one at which it ends is not. */
#include <stdlib.h>

#include "base/grow.h"
#include "model/moments.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/registry.h"
#include "report/shown.h"
#include "report/text.h"
#include "report/units.h"
#include "terminal/cells.h"
#include "terminal/traced.h"

#define NANOSECONDS 1000000000u
#define MOST 10000000u /* samples; more of them take minutes to print */
#define USUAL 200      /* without --period at most so many of a process */

enum { PERIOD, BRIEF, TOP, MIN_PERCENT, FILTER, PACKAGE, SOURCE, EVALS };

static const nytp_arg args[] = {
    [PERIOD] = {.name = "period", .kind = NYTP_ARG_SECONDS, .value = "SECONDS", .least = 1e-9, .most = 1e6,
                .help = "time from one sample to the next [so that there are some hundred]"},
    [BRIEF] = {.name = "brief", .letter = 'b', .help = "shares of subs only, without the samples"},
    [TOP] = NYTP_ARGS_TOP,
    [MIN_PERCENT] = NYTP_ARGS_MIN_PERCENT,
    [FILTER] = NYTP_ARGS_FILTER,
    [PACKAGE] = NYTP_ARGS_PACKAGE,
    [SOURCE] = NYTP_ARGS_SOURCE,
    [EVALS] = NYTP_ARGS_EVALS,
    {0},
};

typedef struct share { /* of a sub */
    uint32_t sub;
    uint64_t own, all; /* samples in which it was the innermost one; in which it was running */
    uint64_t latest;   /* of them, counted from 1 */
} share;

typedef struct samples {
    const nytp_request *r;
    const nytp_profile *p;
    nytp_buf out, name;
    nytp_sink *sink;
    share *shares;     /* by sub */
    uint32_t *running; /* subs, the innermost last */
    uint32_t depth, room;
    uint64_t period;   /* ns */
    uint64_t n;        /* samples so far */
} samples;

static uint64_t nanoseconds(const samples *s, int64_t ticks) {
    return nytp_units_whole(ticks, s->p->ticks_per_second, NANOSECONDS);
}

/* ---- one sample ---- */

static void put_name(samples *s, uint32_t sub) {
    nytp_names_sub(&s->name, s->p, &s->p->subs[sub]);
    nytp_escape_text(&s->out, nytp_page_bytes(&s->name));
    nytp_buf_rewind(&s->name);
}

/* Seconds, with as many decimals as it takes. */
static void put_seconds(nytp_buf *out, uint64_t ns) {
    uint64_t rest = ns % NANOSECONDS;
    nytp_text_number(out, ns / NANOSECONDS);
    if (rest) nytp_buf_byte(out, '.');
    for (uint64_t place = NANOSECONDS / 10; rest; rest %= place, place /= 10)
        nytp_buf_byte(out, (unsigned char)('0' + rest / place));
}

/* "Call stack at 0.5sec: main/find_many_square_roots" */
static void put_stack(samples *s, uint64_t at) {
    nytp_text_put(&s->out, "Call stack at ");
    put_seconds(&s->out, at);
    nytp_text_put(&s->out, "sec: ");
    for (uint32_t i = 0; i < s->depth; i++) {
        if (i) nytp_buf_byte(&s->out, '/');
        put_name(s, s->running[i]);
    }
    if (!s->depth) put_name(s, NYTP_ROOT);
    nytp_buf_byte(&s->out, '\n');
    nytp_sink_drain(s->sink, &s->out, NYTP_SINK_PIECE);
}

/* A recursion is one sub that was running. */
static void count(samples *s, uint32_t sub, int is_innermost) {
    share *to = &s->shares[sub];
    to->own += (uint64_t)is_innermost;
    to->all += to->latest != s->n;
    to->latest = s->n;
}

static void take(samples *s, uint64_t at) {
    s->n++;
    for (uint32_t i = 0; i < s->depth; i++) count(s, s->running[i], i + 1 == s->depth);
    if (!s->depth) count(s, NYTP_ROOT, 1);
    if (!s->r->values[BRIEF].given) put_stack(s, at);
}

/* ---- all samples ---- */

/* Takes those up to `end`, and not at it; *at is the next one. */
static void take_until(samples *s, uint64_t *at, uint64_t end) {
    for (; *at < end && !s->out.failed && s->n <= MOST; *at += s->period) take(s, *at);
}

static void pass(samples *s, const nytp_moment *m) {
    uint32_t *innermost = m->is_end ? NULL : nytp_grow_owned(&s->running, s->depth, &s->room, sizeof *innermost);
    if (m->is_end) s->depth--;
    else if (!innermost) s->out.failed = 1;
    else s->running[s->depth++] = m->span->sub;
}

static void take_process(samples *s, const nytp_process *process) {
    nytp_moments moments = nytp_moments_of(process);
    uint64_t at = s->period;
    if (!s->r->values[BRIEF].given) nytp_traced_heading(&s->out, s->p, process);
    for (nytp_moment m; !s->out.failed && nytp_moments_next(&moments, &m); pass(s, &m))
        take_until(s, &at, nanoseconds(s, m.at));
    take_until(s, &at, nanoseconds(s, process->spent));
    if (moments.failed) s->out.failed = 1;
    nytp_moments_free(&moments);
    s->depth = 0;
}

/* ---- shares ---- */

static int most_first(const void *a, const void *b) {
    const share *x = a, *y = b;
    if (x->own != y->own) return x->own > y->own ? -1 : 1;
    if (x->all != y->all) return x->all > y->all ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static void put_percent(samples *s, uint64_t part) {
    uint64_t tenths = (part * 2000 + s->n) / (2 * s->n);
    nytp_text_format(&s->name, "%u.%u", (unsigned)(tenths / 10), (unsigned)(tenths % 10));
    nytp_cells_right(&s->out, nytp_page_bytes(&s->name), 7);
    nytp_buf_rewind(&s->name);
}

/* "±3.8": of the share of all samples. */
static void put_points(samples *s, uint64_t part) {
    double ratio = (double)part / (double)s->n;
    if (part && part < s->n) nytp_shown_points(&s->name, nytp_profile_deviation((int64_t)s->n, ratio));
    nytp_cells_right(&s->out, nytp_page_bytes(&s->name), 6);
    nytp_buf_rewind(&s->name);
}

static int is_row(const samples *s, const share *row) {
    int is_enough = !s->r->values[MIN_PERCENT].given ||
                    (double)row->all * 100 >= s->r->values[MIN_PERCENT].number * (double)s->n;
    return row->all && is_enough && nytp_selection_has(s->r->selection, row->sub);
}

/* The main program runs all the time; it has a row if that is more than calls say. */
static void count_main(samples *s) {
    if (s->shares[NYTP_ROOT].own) s->shares[NYTP_ROOT].all = s->n;
}

static void put_shares(samples *s) {
    uint32_t shown = 0;
    count_main(s);
    qsort(s->shares, s->p->subs_n, sizeof *s->shares, most_first);
    if (!s->r->values[BRIEF].given) nytp_buf_byte(&s->out, '\n');
    nytp_text_around(&s->out, "", s->n, s->n == 1 ? " sample\n" : " samples\n");
    nytp_text_put(&s->out, "  own %     \xC2\xB1  all %     \xC2\xB1  sub\n");
    for (uint32_t i = 0; i < s->p->subs_n && shown < s->r->selection->top; i++) {
        const share *row = &s->shares[i];
        if (!is_row(s, row)) continue;
        shown++;
        put_percent(s, row->own);
        put_points(s, row->own);
        put_percent(s, row->all);
        put_points(s, row->all);
        nytp_text_put(&s->out, "  ");
        put_name(s, row->sub);
        nytp_buf_byte(&s->out, '\n');
    }
}

/* ---- the report ---- */

static void take_all(samples *s) {
    for (uint32_t i = 0; i < s->p->subs_n; i++) s->shares[i].sub = i;
    for (uint32_t i = 0; i < s->p->processes_n; i++)
        if (s->p->processes[i].spans_n) take_process(s, &s->p->processes[i]);
    if (s->n) put_shares(s);
    if (s->n > MOST) nytp_sink_fail(s->sink, "more than 10000000 samples: choose a longer --period");
    if (!s->n && !s->out.failed) nytp_sink_fail(s->sink, "no samples: the run was shorter than the --period");
}

/* Without a wish the least of 1, 2, 5, 10, 20 ... ns that gives no more samples of a process than usual. */
static uint64_t period_of(const samples *s) {
    const nytp_arg_value *v = &s->r->values[PERIOD];
    uint64_t longest = 0, period = 1;
    if (v->given) return (uint64_t)(v->number * NANOSECONDS + 0.5);
    for (uint32_t i = 0; i < s->p->processes_n; i++) {
        uint64_t length = nanoseconds(s, s->p->processes[i].spent);
        if (length > longest) longest = length;
    }
    for (int step = 0; longest / period > USUAL; step = (step + 1) % 3)
        period = step == 1 ? period / 2 * 5 : period * 2;
    return period;
}

static int write_samples(const nytp_request *r, nytp_sink *sink) {
    samples s = {.r = r, .p = r->profiles, .sink = sink};
    s.period = period_of(&s);
    if (nytp_traced_check(s.p, sink)) return NYTP_USAGE;
    s.shares = calloc(s.p->subs_n + (size_t)1, sizeof *s.shares);
    if (!s.shares) return NYTP_NOMEM;
    nytp_sink_begin(sink, NYTP_LIT("nytprof.samples"));
    take_all(&s);
    nytp_buf_done(&s.name, &s.out);
    free(s.shares);
    free(s.running);
    return nytp_sink_finish(sink, &s.out, NYTP_OK);
}

const nytp_report nytp_samples_report = {
    .name = "samples",
    .task = NYTP_TASK_LOOK,
    .summary = "prints the running calls at every period of time (calls=2)",
    .output = "-",
    .is_page = 1,
    .wants_calls = 1,
    .args = args,
    .write = write_samples,
};
