/* SPDX-License-Identifier: MIT */
/* folded.c - stacks as lines of text, and back. */
#include "report/folded.h"

#include <string.h>

#include "base/ticks.h"
#include "report/lineage.h"
#include "report/overlaid.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"
#include "report/units.h"

void nytp_folded_lines(nytp_buf *out, nytp_sink *sink, const nytp_stacks *s, uint64_t ticks_per_second, uint64_t rate) {
    nytp_stacks_path path = {0};
    nytp_units_sum sum = {.per_second = rate ? ticks_per_second : 1, .rate = rate ? rate : 1};
    for (uint32_t i = nytp_calltree_next(&s->tree, 0); i; i = nytp_calltree_next(&s->tree, i)) {
        const nytp_calltree_node *f = &s->tree.at[i];
        nytp_stacks_path_to(&path, s, i);
        if (!f->is_seen) continue;
        nytp_text_str(out, nytp_page_bytes(&path.text));
        nytp_text_around(out, " ", nytp_units_next(&sum, f->self), "\n");
        if (sink && nytp_sink_drain(sink, out, NYTP_SINK_PIECE)) break;
    }
    nytp_buf_done(&path.text, out);
}

static int put_page(nytp_sink *sink, const nytp_stacks *s, uint64_t ticks_per_second, uint64_t rate) {
    nytp_buf out = {0};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.folded"));
    nytp_folded_lines(&out, sink, s, ticks_per_second, rate);
    return nytp_sink_finish(sink, &out, NYTP_OK);
}

/* ---- reading ---- */

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static nytp_str trimmed(nytp_str s) {
    while (s.n && is_blank(s.p[s.n - 1])) s.n--;
    return s;
}

/* Takes a number, "12" or "12.5", from the end of the line into *value, in units. Returns 1 if there is a number with
 * text before it. */
static int take_number(nytp_str *line, int64_t *value) {
    nytp_str rest = trimmed(*line);
    size_t end = rest.n, begin = end;
    while (begin && !is_blank(rest.p[begin - 1])) begin--;
    uint64_t number = 0;
    int decimals = -1; /* seen so far; -1 before the point */
    for (size_t i = begin; i < end; i++) {
        char c = rest.p[i];
        if (c == '.' && decimals < 0 && i > begin) decimals = 0;
        else if (c < '0' || c > '9' || number > INT64_MAX / 20000) return 0;
        else if (decimals < 3) {
            number = number * 10 + (uint64_t)(c - '0');
            if (decimals >= 0) decimals++;
        }
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 3; i++) number *= 10;
    rest.n = begin;
    if (begin == end || !trimmed(rest).n) return 0;
    *value = (int64_t)number;
    *line = trimmed(rest);
    return 1;
}

/* Takes the first or the last name off the path. */
static nytp_str take_name(nytp_str *path, int last) {
    size_t i = last ? path->n : 0;
    nytp_str name;
    if (last) {
        while (i && path->p[i - 1] != ';') i--;
        name = (nytp_str){path->p + i, path->n - i};
        path->n = i ? i - 1 : 0;
    } else {
        while (i < path->n && path->p[i] != ';') i++;
        name = (nytp_str){path->p, i};
        i += i < path->n;
        *path = (nytp_str){path->p + i, path->n - i};
    }
    return name;
}

static int read_line(nytp_stacks *s, nytp_str line, int reverse, uint32_t *bad) {
    int64_t value, old;
    uint32_t frame = 0;
    if (!take_number(&line, &value)) {
        ++*bad;
        return NYTP_OK;
    }
    if (!take_number(&line, &old)) old = value;
    while (line.n) {
        nytp_str name = take_name(&line, reverse);
        if (name.n) frame = nytp_stacks_push(s, frame, name);
        if (frame == UINT32_MAX) return NYTP_NOMEM;
    }
    if (!frame) return NYTP_OK;
    nytp_calltree_node *f = &s->tree.at[frame];
    f->self = nytp_ticks_add(f->self, value);
    f->is_seen = 1;
    return value == old ? NYTP_OK : nytp_calltree_differ(&s->tree, frame, nytp_ticks_minus(value, old));
}

int nytp_folded_read(nytp_stacks *s, nytp_str text, int reverse, uint32_t *bad) {
    int code = NYTP_OK;
    while (text.n && !code) {
        const char *newline = memchr(text.p, '\n', text.n);
        size_t n = newline ? (size_t)(newline - text.p) : text.n, taken = newline ? n + 1 : n;
        code = read_line(s, (nytp_str){text.p, n}, reverse, bad);
        text = (nytp_str){text.p + taken, text.n - taken};
    }
    return code;
}

/* ---- the report ---- */

enum { CALLS, SUBS, STABLE, RATE, REAL };

static const nytp_arg args[] = {
    [CALLS] = {.name = "calls", .without = "metric", .help = "values are numbers of calls or processes, not times"},
    [SUBS] = {.name = "subs", .help = "paths begin with the first sub, without main::RUNTIME"},
    [STABLE] = {.name = "stable", .help = "in the order of first returns, not the most time first"},
    [RATE] = {.name = "rate", .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 4000000000u,
              .help = "times are in 1/N s"},
    [REAL] = {.name = "real", .without = "calls", .help = "of a build: real time, not CPU time"},
    NYTP_ARGS_CLASSES,
    NYTP_ARGS_METRIC,
    NYTP_ARGS_PATHS,
    {0},
};

static int write_folded(const nytp_request *r, nytp_sink *sink) {
    const nytp_arg_value *v = r->values;
    nytp_shown shown = nytp_shown_of(&r->shown, r->profiles, NYTP_OF_NODE);
    const nytp_calltree_options options = {.calls = v[CALLS].given != 0, .subs_only = v[SUBS].given != 0,
                                           .metric = shown.ranks ? shown.at[0] + 1 : 0,
                                           .selection = r->selection};
    uint64_t rate = options.calls || options.metric ? 0 : v[RATE].given ? (uint64_t)v[RATE].number : NYTP_NANOSECONDS;
    if (v[REAL].given) return nytp_sink_fail(sink, "folded: --real is for captures of builds");
    nytp_stacks s = {0};
    int code = nytp_stacks_profile(&s, r->profiles, &options);
    if (!code) code = nytp_stacks_sort(&s, v[STABLE].given ? NYTP_STACKS_RETURNS : NYTP_STACKS_HEAVIEST);
    if (!code) code = put_page(sink, &s, r->profiles->ticks_per_second, rate);
    nytp_stacks_free(&s);
    return code;
}

static int write_build(const nytp_build_request *r, nytp_sink *sink) {
    const nytp_arg_value *v = r->values;
    enum nytp_lineage_value value = v[REAL].given ? NYTP_LINEAGE_REAL : NYTP_LINEAGE_CPU;
    uint64_t rate = v[CALLS].given ? 0 : v[RATE].given ? (uint64_t)v[RATE].number : NYTP_NANOSECONDS;
    nytp_stacks s = {0};
    if (v[SUBS].given) return nytp_sink_fail(sink, "folded: --subs is for profiles");
    int code = nytp_lineage_make(&s, r->builds, r->classes, v[CALLS].given ? NYTP_LINEAGE_COUNT : value);
    if (!code) code = nytp_stacks_sort(&s, v[STABLE].given ? NYTP_STACKS_RETURNS : NYTP_STACKS_HEAVIEST);
    if (!code) code = put_page(sink, &s, NYTP_NANOSECONDS, rate);
    nytp_stacks_free(&s);
    return code;
}

const nytp_report nytp_folded_report = {
    .name = "folded",
    .summary = "prints call paths for flame graphs, with times in nanoseconds",
    .output = "-",
    .is_page = 1,
    .is_whole = 1,
    .args = args,
    .write = write_folded,
    .write_build = write_build,
    .write_compared = nytp_overlaid_write,
};
