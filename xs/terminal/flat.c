/* SPDX-License-Identifier: MIT */
/* flat.c - subs by time, in gprof's columns, oprofile's, where a sample is a nanosecond, or those of percall.c. */
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "model/order.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/shown.h"
#include "report/text.h"
#include "terminal/cells.h"
#include "terminal/gprof.h"
#include "terminal/measured.h"
#include "terminal/percall.h"

#define LEAST_COUNT 9 /* columns of calls, and of a time per call, with a blank ahead */
#define IMAGE 24      /* columns of a file's name */
#define NO_GROWTH "Growth is of two metrics, as --metric=bytes,bytes-freed; option memory=1 records some.\n"

enum { STYLE, METRIC, SORT, ZERO, BRIEF, TOP, PERCENT, FILTER, PACKAGE, SOURCE, FROM, COLOR };

static const nytp_arg args[] = {
    [STYLE] = {.name = "style", .kind = NYTP_ARG_WORD, .value = "WORD", .words = "gprof oprofile latency",
               .help = "gprof: exact on a terminal, too; oprofile: its columns; latency: time of calls as quantiles"},
    [METRIC] = {.name = "metric", .kind = NYTP_ARG_TEXT, .value = "NAMES", .words = "time", .without = "style",
                .use = NYTP_ARG_FOR_METRIC,
                .help = "columns of these metrics, separated by commas, the ranking one first"},
    [SORT] = {.name = "sort", .kind = NYTP_ARG_WORD, .value = "WORD", .fallback = "self",
              .words = "self incl calls name p99 longest growth",
              .help = "what comes first: most self, incl or calls, or by name; p99 and longest: of single calls; "
                      "growth: what the first of two metrics has more than the second"},
    [ZERO] = {.name = "zero", .letter = 'z', .help = "also subs that were never called"},
    [BRIEF] = {.name = "brief", .letter = 'b', .help = "without the legend"},
    [TOP] = NYTP_ARGS_TOP,
    [PERCENT] = NYTP_ARGS_MIN_PERCENT,
    [FILTER] = NYTP_ARGS_FILTER,
    [PACKAGE] = NYTP_ARGS_PACKAGE,
    [SOURCE] = NYTP_ARGS_SOURCE,
    [FROM] = NYTP_ARGS_BELOW,
    [COLOR] = NYTP_ARGS_COLOR,
    {0},
};

typedef struct flat {
    nytp_gprof g;
    uint64_t sum; /* of the self times so far */
    nytp_buf *out;
    uint32_t calls, self_call, total_call; /* widths */
} flat;

/* ---- gprof's columns ---- */

static int64_t outermost_calls(const nytp_sub *s) { return nytp_ticks_minus(s->calls, s->nested); }

/* The time of a call in hundredths of a microsecond. */
static uint64_t time_per_call(const flat *f, int64_t ticks, int64_t calls) {
    return calls > 0 ? (nytp_gprof_ns(f->g.p, ticks) + 5 * (uint64_t)calls) / 10 / (uint64_t)calls : 0;
}

static void widen(uint32_t *width, uint32_t needed) {
    if (*width < needed + 1) *width = needed + 1;
}

static void make_room(flat *f, const nytp_sub *s) {
    widen(&f->calls, nytp_gprof_width(s->calls > 0 ? (uint64_t)s->calls : 0, 0));
    widen(&f->self_call, nytp_gprof_width(time_per_call(f, s->exclusive, s->calls), 2));
    widen(&f->total_call, nytp_gprof_width(time_per_call(f, s->inclusive, outermost_calls(s)), 2));
}

/* A main program and its phases are not called. */
static void put_calls(const flat *f, const nytp_sub *s) {
    int64_t outermost = outermost_calls(s);
    if (s->calls > 0) {
        nytp_gprof_count(f->out, f->calls, s->calls);
        nytp_gprof_decimal(f->out, f->self_call, time_per_call(f, s->exclusive, s->calls), 2);
        nytp_gprof_decimal(f->out, f->total_call, time_per_call(f, s->inclusive, outermost), 2);
    } else nytp_cells_blanks(f->out, f->calls + f->self_call + f->total_call);
}

static void put_gprof_row(flat *f, uint32_t sub) {
    const nytp_profile *p = f->g.p;
    const nytp_sub *s = &p->subs[sub];
    size_t line = f->out->n;
    uint64_t self = nytp_gprof_ns(p, s->exclusive);
    f->sum += self;
    nytp_gprof_hot(f->out, &f->g, s->exclusive);
    nytp_gprof_percent(f->out, 6, 2, s->exclusive, p->totals.whole);
    nytp_gprof_points(f->out, &f->g, s->exclusive);
    nytp_gprof_time(f->out, &f->g, f->sum);
    nytp_gprof_time(f->out, &f->g, self);
    put_calls(f, s);
    nytp_text_put(f->out, "  ");
    nytp_gprof_sub(f->out, p, sub, nytp_gprof_left(f->out, &f->g, line));
    nytp_gprof_end(f->out, &f->g, s->exclusive);
}

static void put_heading(const flat *f, const char *const words[5], const char *name) {
    nytp_gprof_text(f->out, f->g.times, words[0]);
    nytp_gprof_text(f->out, f->g.times, words[1]);
    nytp_gprof_text(f->out, f->calls, words[2]);
    nytp_gprof_text(f->out, f->self_call, words[3]);
    nytp_gprof_text(f->out, f->total_call, words[4]);
    nytp_text_put(f->out, name);
}

static void put_gprof_head(const flat *f) {
    const char *const above[] = {"cumulative", "self", "", "self", "total"};
    const char *const below[] = {f->g.unit, f->g.unit, "calls", "us/call", "us/call"};
    nytp_text_put(f->out, "Flat profile:\n\n");
    if (!f->g.is_for_people) nytp_text_put(f->out, "Each sample counts as 1e-09 seconds.\n");
    nytp_gprof_run(f->out, f->g.p);
    nytp_text_put(f->out, f->g.has_points ? "  %      \xC2\xB1   " : "  %   ");
    put_heading(f, above, f->g.has_points ? "\n time points " : "\n time ");
    put_heading(f, below, "  name\n");
}

static void put_gprof_legend(nytp_buf *out, int has_points) {
    nytp_text_put(out, "\n % time         share of the profiled time that was spent in the sub itself\n");
    if (has_points)
        nytp_text_put(out, " \xC2\xB1 points       standard deviation of that share, by the number of samples\n");
    nytp_text_put(out,
        " cumulative     sum of the self times down to this row\n"
        " self           time in the sub itself, without the subs it calls\n"
        " calls          how often the sub was called; blank: never, or not counted\n"
        " self us/call   mean self time of a call, in microseconds\n"
        " total us/call  mean time of a call with all that it calls; of a recursion,\n"
        "                of its outermost call\n");
}

/* ---- oprofile's columns ---- */

static void put_left(nytp_buf *out, size_t begin, uint32_t width) {
    uint32_t taken = nytp_cells_width((nytp_str){(const char *)out->p + begin, out->n - begin});
    nytp_cells_blanks(out, taken < width ? width - taken : 1);
}

/* The file that a program is in, which its name may be a part of, as users give it; 0: none is known. */
static uint32_t file_of_program(const nytp_profile *p, nytp_str program) {
    while (nytp_str_starts(program, NYTP_LIT("./"))) program = (nytp_str){program.p + 2, program.n - 2};
    for (uint32_t i = 1; i < p->files_n; i++) {
        nytp_str name = p->files[i].name;
        int is_end = program.n && nytp_str_ends(name, program);
        if (is_end && (name.n == program.n || name.p[name.n - program.n - 1] == '/')) return i;
    }
    return 0;
}

/* The file of a sub; the program's for its main part. */
static void put_image(const flat *f, const nytp_sub *s) {
    const nytp_profile *p = f->g.p;
    size_t begin = f->out->n;
    uint32_t process = s->process ? s->process - 1 : 0;
    nytp_buf name = {0};
    int is_phase = s->flags & NYTP_SUB_PHASE && p->processes_n;
    uint32_t file = is_phase ? file_of_program(p, p->processes[process].program) : s->file;
    if (file) nytp_names_file(&name, p, &p->files[file]);
    else if (is_phase) nytp_text_str(&name, p->processes[process].program);
    else nytp_text_put(&name, "(no file)");
    nytp_gprof_name(f->out, nytp_page_bytes(&name), f->g.width ? IMAGE : 0);
    nytp_buf_done(&name, f->out);
    put_left(f->out, begin, IMAGE + 1);
}

static void put_oprofile_row(flat *f, uint32_t sub) {
    const nytp_profile *p = f->g.p;
    const nytp_sub *s = &p->subs[sub];
    size_t line = f->out->n;
    nytp_gprof_hot(f->out, &f->g, s->exclusive);
    size_t begin = f->out->n;
    nytp_text_number(f->out, nytp_gprof_ns(p, s->exclusive));
    put_left(f->out, begin, f->calls);
    begin = f->out->n;
    nytp_gprof_percent(f->out, 0, 4, s->exclusive, p->totals.whole);
    put_left(f->out, begin, LEAST_COUNT);
    put_image(f, s);
    nytp_gprof_sub(f->out, p, sub, nytp_gprof_left(f->out, &f->g, line));
    nytp_gprof_end(f->out, &f->g, s->exclusive);
}

static void put_oprofile_head(flat *f) {
    nytp_gprof_run(f->out, f->g.p);
    nytp_text_put(f->out, "Counted nanoseconds in subs themselves: a sample is 1 ns\n");
    widen(&f->calls, nytp_gprof_width(nytp_gprof_ns(f->g.p, f->g.p->totals.whole), 0));
    size_t begin = f->out->n;
    nytp_text_put(f->out, "samples");
    put_left(f->out, begin, f->calls);
    nytp_text_put(f->out, "%        image name               symbol name\n");
}

/* ---- the report ---- */

static enum nytp_order order_of(const char *word) {
    if (strcmp(word, "incl") == 0) return NYTP_ORDER_INCLUSIVE;
    if (strcmp(word, "calls") == 0) return NYTP_ORDER_CALLS;
    if (strcmp(word, "p99") == 0) return NYTP_ORDER_P99;
    if (strcmp(word, "longest") == 0) return NYTP_ORDER_LONGEST;
    return strcmp(word, "name") == 0 ? NYTP_ORDER_NAME : NYTP_ORDER_EXCLUSIVE;
}

/* Leaves the chosen subs in the array, and returns their number. The least share is of the time that ranks. */
static uint32_t choose(const nytp_request *r, enum nytp_order by, uint32_t *subs, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n && kept < r->selection->top; i++) {
        const nytp_sub *s = &r->profiles->subs[subs[i]];
        int64_t ticks = by == NYTP_ORDER_INCLUSIVE ? s->inclusive : s->exclusive;
        if (nytp_selection_has(r->selection, subs[i]) && nytp_selection_shows(r->selection, ticks))
            subs[kept++] = subs[i];
    }
    return kept;
}

static void put_lengths(const flat *f, const uint32_t *subs, uint32_t n, int is_brief) {
    if (!f->g.p->is_timed) {
        nytp_text_put(f->out, "The profile has no time of single calls; option latency=1 records it (Perl, Lua).\n");
        return;
    }
    nytp_percall_head(f->out, &f->g);
    for (uint32_t i = 0; i < n; i++) nytp_percall_row(f->out, &f->g, subs[i]);
    if (!is_brief) nytp_percall_legend(f->out);
}

static void put_metrics(const flat *f, const nytp_measured *m, const uint32_t *subs, uint32_t n, int is_brief) {
    nytp_measured_head(f->out, m);
    for (uint32_t i = 0; i < n; i++) nytp_measured_row(f->out, m, subs[i]);
    if (!is_brief) nytp_measured_legend(f->out, m);
}

static void put_table(flat *f, const uint32_t *subs, uint32_t n, int is_oprofile, int is_brief) {
    for (uint32_t i = 0; i < n && !is_oprofile; i++) make_room(f, &f->g.p->subs[subs[i]]);
    if (is_oprofile) put_oprofile_head(f);
    else put_gprof_head(f);
    for (uint32_t i = 0; i < n; i++) {
        if (is_oprofile) put_oprofile_row(f, subs[i]);
        else put_gprof_row(f, subs[i]);
    }
    if (!is_oprofile && !is_brief) put_gprof_legend(f->out, f->g.has_points);
    if (!is_oprofile && !f->g.is_for_people) nytp_gprof_feed(f->out, &f->g);
}

/* Growth is of the metrics that are asked for, else of those of which it is known. */
static nytp_shown shown_in(const nytp_request *r, int is_growth) {
    if (!is_growth || r->values[METRIC].given) return nytp_shown_of(&r->shown, r->profiles, NYTP_OF_NODE);
    nytp_metrics_pair pair = nytp_metrics_growth(r->profiles);
    if (pair.made == r->profiles->metrics_n) return (nytp_shown){0};
    return (nytp_shown){.n = 2, .at = {pair.made, pair.freed}, .ranks = 1};
}

static int write_flat(const nytp_request *r, nytp_sink *sink) {
    const char *style = r->values[STYLE].text;
    int is_exact = style && strcmp(style, "gprof") == 0, is_oprofile = style && strcmp(style, "oprofile") == 0;
    enum nytp_order by = order_of(r->values[SORT].text);
    nytp_buf out = {0};
    flat f = {.g = nytp_gprof_of(r, is_exact), .out = &out, .calls = LEAST_COUNT, .self_call = LEAST_COUNT,
              .total_call = LEAST_COUNT};
    uint32_t n, *subs = nytp_order_all(r->profiles, by, r->values[ZERO].given != 0, &n);
    if (!subs) return NYTP_NOMEM;
    nytp_sink_begin(sink, NYTP_LIT("flat.txt"));
    int is_growth = strcmp(r->values[SORT].text, "growth") == 0;
    nytp_shown shown = shown_in(r, is_growth);
    int has_growth = is_growth && shown.ranks && shown.n > 1;
    const nytp_measured measured = {&f.g, &shown, has_growth};
    if (has_growth || (shown.ranks && r->values[METRIC].given > r->values[SORT].given))
        n = nytp_measured_rank(&measured, subs, n, r->values[ZERO].given != 0);
    n = choose(r, by, subs, n);
    if (is_growth && !has_growth) nytp_text_put(&out, NO_GROWTH);
    else if (r->values[METRIC].given || has_growth) put_metrics(&f, &measured, subs, n, r->values[BRIEF].given != 0);
    else if (style && !is_exact && !is_oprofile) put_lengths(&f, subs, n, r->values[BRIEF].given != 0);
    else put_table(&f, subs, n, is_oprofile, r->values[BRIEF].given != 0);
    free(subs);
    return nytp_sink_finish(sink, &out, NYTP_OK);
}

const nytp_report nytp_flat_report = {
    .name = "flat",
    .task = NYTP_TASK_LOOK,
    .summary = "prints subs by time: as gprof, oprofile, by quantiles or metrics",
    .output = "-",
    .is_page = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_flat,
};
