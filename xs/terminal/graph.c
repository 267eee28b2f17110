/* SPDX-License-Identifier: MIT */
/* graph.c - the call graph as gprof prints it: an entry for each sub, with its callers above and its callees below, and
 * one for each cycle, with its members. Entries are numbered in the order of their time; a number in parentheses is
 * that of an entry that is not printed. */
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "report/registry.h"
#include "report/text.h"
#include "terminal/cells.h"
#include "terminal/entries.h"
#include "terminal/gprof.h"

#define LEAST_INDEX 6   /* columns of "[17]" with blanks behind */
#define LEAST_COUNT 7   /* of a number of calls */
#define PERCENT_WIDTH 6

enum { STYLE, BRIEF, TOP, PERCENT, FILTER, PACKAGE, SOURCE, FROM, COLOR };

static const nytp_arg args[] = {
    [STYLE] = {.name = "style", .kind = NYTP_ARG_WORD, .value = "WORD", .words = "gprof",
               .help = "gprof: exact on a terminal, too"},
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

typedef struct relative { /* a caller or callee of an entry's sub */
    const nytp_calls *link;
    uint32_t sub;
    int32_t is_within; /* 1: of the same group */
    int64_t ticks;
    uint32_t number;   /* of its entry */
} relative;

typedef struct named { /* an entry in the index */
    nytp_str name;
    uint32_t number;
} named;

typedef struct graph {
    nytp_gprof g;
    nytp_entries e;
    relative *relatives;   /* room for those of an entry */
    uint32_t index, count; /* widths of an index, and of a number of calls */
    nytp_buf *out;         /* is written piece by piece, between entries */
    nytp_sink *sink;
} graph;

/* ---- lines ---- */

static void put_times(const graph *g, int64_t self, int64_t children) {
    nytp_gprof_time(g->out, &g->g, nytp_gprof_ns(g->g.p, self));
    nytp_gprof_time(g->out, &g->g, nytp_gprof_ns(g->g.p, children));
}

static void put_blanks_since(const graph *g, size_t begin, uint32_t width) {
    uint32_t taken = (uint32_t)(g->out->n - begin);
    nytp_cells_blanks(g->out, taken < width ? width - taken : 0);
}

/* "n", "n/m" or "n+m", with the signs below each other. */
static void put_called(const graph *g, int64_t calls, char sign, int64_t more) {
    if (!calls && g->g.p->is_uncounted) {
        nytp_cells_blanks(g->out, 2 * g->count + 3);
        return;
    }
    nytp_gprof_count(g->out, g->count + 2, calls);
    size_t begin = g->out->n;
    if (sign) {
        nytp_buf_byte(g->out, (unsigned char)sign);
        nytp_gprof_count(g->out, 0, more);
    }
    put_blanks_since(g, begin, g->count + 1);
}

static uint32_t digits_of(uint32_t n) { return nytp_gprof_width(n, 0); }

static void put_number(const graph *g, uint32_t number) {
    int is_shown = g->e.at[number - 1].is_shown;
    nytp_text_around(g->out, is_shown ? " [" : " (", number, is_shown ? "]" : ")");
}

/* "NAME <cycle 1> [7]" */
static void put_name(const graph *g, size_t line, uint32_t sub) {
    uint32_t cycle = g->e.c.groups[g->e.c.group[sub]].cycle, number = g->e.of_sub[sub];
    uint32_t left = nytp_gprof_left(g->out, &g->g, line);
    uint32_t behind = 3 + digits_of(number) + (cycle ? 9 + digits_of(cycle) : 0);
    nytp_gprof_sub(g->out, g->g.p, sub, left > behind ? left - behind : left);
    if (cycle) nytp_text_around(g->out, " <cycle ", cycle, ">");
    put_number(g, number);
}

static uint32_t before_times(const graph *g) {
    return g->index + PERCENT_WIDTH + (g->g.has_points ? NYTP_GPROF_POINTS : 0);
}

/* Calls within a group have no time that is theirs alone. */
static void put_relative(const graph *g, const relative *r) {
    size_t line = g->out->n;
    nytp_cells_blanks(g->out, before_times(g));
    if (r->is_within) nytp_cells_blanks(g->out, 2 * g->g.times);
    else put_times(g, r->link->self, r->link->children);
    put_called(g, r->link->calls, r->is_within ? 0 : '/', g->e.c.groups[g->e.c.group[r->link->callee]].entered);
    nytp_text_put(g->out, "     ");
    put_name(g, line, r->sub);
    nytp_buf_byte(g->out, '\n');
}

/* Up to the calls. */
static void put_primary(const graph *g, const nytp_entry *e) {
    nytp_gprof_hot(g->out, &g->g, e->ticks);
    size_t begin = g->out->n;
    nytp_text_around(g->out, "[", (uint64_t)(e - g->e.at) + 1, "]");
    put_blanks_since(g, begin, g->index);
    nytp_gprof_percent(g->out, PERCENT_WIDTH, 1, e->ticks, g->g.p->totals.whole);
    nytp_gprof_points(g->out, &g->g, e->ticks);
    put_times(g, e->self, e->children);
}

/* ---- callers and callees ---- */

static relative relative_of(const graph *g, const nytp_calls *l, uint32_t sub) {
    int is_within = g->e.c.group[l->caller] == g->e.c.group[l->callee];
    return (relative){l, sub, is_within, nytp_ticks_add(l->self, l->children), g->e.of_sub[sub]};
}

/* Most time first, and calls within the group last. */
static int by_weight(const void *a, const void *b) {
    const relative *x = a, *y = b;
    if (x->is_within != y->is_within) return x->is_within - y->is_within;
    if (x->ticks != y->ticks) return x->ticks > y->ticks ? -1 : 1;
    if (x->link->calls != y->link->calls) return x->link->calls > y->link->calls ? -1 : 1;
    return x->sub < y->sub ? -1 : x->sub > y->sub;
}

static void put_spontaneous(const graph *g) {
    nytp_cells_blanks(g->out, before_times(g) + 2 * g->g.times + 2 * g->count + 3);
    nytp_text_put(g->out, "     <spontaneous>\n");
}

/* The weightiest caller is next to the sub's own line. */
static void put_callers(const graph *g, uint32_t sub) {
    nytp_slice callers = g->e.c.callers[sub];
    for (uint32_t i = 0; i < callers.n; i++) {
        const nytp_calls *l = &g->e.c.links[g->e.c.by_callee[callers.first + i]];
        g->relatives[i] = relative_of(g, l, l->caller);
    }
    if (callers.n) qsort(g->relatives, callers.n, sizeof *g->relatives, by_weight);
    else put_spontaneous(g);
    for (uint32_t i = callers.n; i-- > 0;) put_relative(g, &g->relatives[i]);
}

static void put_callees(const graph *g, uint32_t sub) {
    nytp_slice callees = g->e.c.callees[sub];
    for (uint32_t i = 0; i < callees.n; i++) {
        const nytp_calls *l = &g->e.c.links[callees.first + i];
        g->relatives[i] = relative_of(g, l, l->callee);
    }
    if (callees.n) qsort(g->relatives, callees.n, sizeof *g->relatives, by_weight);
    for (uint32_t i = 0; i < callees.n; i++) put_relative(g, &g->relatives[i]);
}

/* ---- entries ---- */

static int64_t calls_of_itself(const graph *g, uint32_t sub) {
    nytp_slice callees = g->e.c.callees[sub];
    for (uint32_t i = 0; i < callees.n; i++)
        if (g->e.c.links[callees.first + i].callee == sub) return g->e.c.links[callees.first + i].calls;
    return 0;
}

/* All calls of a sub but its own. */
static int64_t calls_by_others(const graph *g, uint32_t sub) {
    nytp_slice callers = g->e.c.callers[sub];
    int64_t calls = 0;
    for (uint32_t i = 0; i < callers.n; i++) {
        const nytp_calls *l = &g->e.c.links[g->e.c.by_callee[callers.first + i]];
        if (l->caller != sub) calls = nytp_ticks_add(calls, l->calls);
    }
    return calls;
}

/* A main program and its phases have no calls. */
static void put_sub(const graph *g, const nytp_entry *e) {
    size_t line;
    int64_t nested = calls_of_itself(g, e->sub);
    put_callers(g, e->sub);
    line = g->out->n;
    put_primary(g, e);
    if (g->e.c.callers[e->sub].n) put_called(g, calls_by_others(g, e->sub), nested > 0 ? '+' : 0, nested);
    else nytp_cells_blanks(g->out, 2 * g->count + 3);
    nytp_text_put(g->out, " ");
    put_name(g, line, e->sub);
    nytp_gprof_end(g->out, &g->g, e->ticks);
    put_callees(g, e->sub);
}

static void put_member(const graph *g, const nytp_entry *e) {
    size_t line = g->out->n;
    nytp_cells_blanks(g->out, before_times(g));
    put_times(g, e->self, e->children);
    put_called(g, calls_by_others(g, e->sub), 0, 0);
    nytp_text_put(g->out, "     ");
    put_name(g, line, e->sub);
    nytp_buf_byte(g->out, '\n');
}

static int by_number(const void *a, const void *b) {
    const relative *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Members in the order of their entries, which is that of their time. */
static void put_cycle(const graph *g, const nytp_entry *e) {
    const nytp_group *group = &g->e.c.groups[e->group];
    put_primary(g, e);
    put_called(g, group->entered, '+', group->inner);
    nytp_text_around(g->out, " <cycle ", group->cycle, " as a whole>");
    put_number(g, (uint32_t)(e - g->e.at) + 1);
    nytp_gprof_end(g->out, &g->g, e->ticks);
    for (uint32_t i = 0; i < group->subs.n; i++)
        g->relatives[i].number = g->e.of_sub[g->e.c.members[group->subs.first + i]];
    qsort(g->relatives, group->subs.n, sizeof *g->relatives, by_number);
    for (uint32_t i = 0; i < group->subs.n; i++) put_member(g, &g->e.at[g->relatives[i].number - 1]);
}

static void measure(graph *g) {
    uint32_t index = digits_of(g->e.n) + 3;
    g->index = index > LEAST_INDEX ? index : LEAST_INDEX;
    g->count = LEAST_COUNT;
    for (uint32_t i = 0; i < g->e.c.groups_n; i++) {
        const nytp_group *of = &g->e.c.groups[i];
        int64_t most = nytp_ticks_add(of->entered, of->inner);
        uint32_t digits = nytp_gprof_width(most > 0 ? (uint64_t)most : 0, 0);
        if (digits > g->count) g->count = digits;
    }
}

/* ---- the report ---- */

static void put_head(const graph *g) {
    nytp_text_put(g->out, "                        Call graph\n\n\ngranularity: each sample counts 1 ns of the run's ");
    nytp_gprof_decimal(g->out, 0, nytp_gprof_ns(g->g.p, g->g.p->totals.whole), 9);
    nytp_text_put(g->out, " seconds");
    if (g->g.decimals != 9) {
        nytp_text_put(g->out, "\nTimes are in ");
        nytp_text_put(g->out, g->g.unit);
        nytp_buf_byte(g->out, '.');
    }
    nytp_buf_byte(g->out, '\n');
    nytp_gprof_run(g->out, g->g.p);
    nytp_text_put(g->out, "\nindex");
    nytp_gprof_text(g->out, g->index + PERCENT_WIDTH - 5, "% time");
    if (g->g.has_points) nytp_cells_right(g->out, NYTP_LIT("\xC2\xB1"), NYTP_GPROF_POINTS);
    nytp_gprof_text(g->out, g->g.times, "self");
    nytp_gprof_text(g->out, g->g.times, "children");
    nytp_gprof_text(g->out, g->count + 5, "called");
    nytp_cells_blanks(g->out, g->count - 1);
    nytp_text_put(g->out, "name\n");
}

static void put_legend(nytp_buf *out, int has_points) {
    nytp_text_put(out,
        "\n"
        " An entry is a sub, on the line that begins with its number. Above it are\n"
        " its callers, the one that takes most of its time last; below it are the\n"
        " subs that it calls, most time first. Entries are in the order of time.\n"
        "\n"
        " % time    share of the profiled time: of the sub and what it calls\n");
    if (has_points)
        nytp_text_put(out, " \xC2\xB1         standard deviation of that share in points, by the number of samples\n");
    nytp_text_put(out,
        " self      time in the sub itself; of a caller or callee: the callee's own\n"
        "           time in the calls that the line is about\n"
        " children  time in what the sub calls; of a caller or callee: in what the\n"
        "           callee calls\n"
        " called    n    calls of the sub\n"
        "           n+m  n calls by others, and m by itself: a recursion\n"
        "           n/m  n of the m calls of the callee, without recursive ones\n"
        " name      with the number of its entry: [7], or (7) if it is not printed\n"
        "\n"
        " <spontaneous>  no sub called it: the main program, or a phase of it\n"
        " <cycle 1>      subs that call each other in a circle. The cycle as a whole\n"
        "                has an entry: n+m are its calls from outside and within.\n"
        "                Calls within have no time: it is that of the calls that\n"
        "                lead into the circle, shared in proportion if there are\n"
        "                several. So it is with recursion.\n");
}

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = nytp_str_cmp(x->name, y->name);
    return order ? order : x->number < y->number ? -1 : x->number > y->number;
}

static void put_indexed(const graph *g, uint32_t number) {
    const nytp_entry *e = &g->e.at[number - 1];
    size_t line = g->out->n;
    uint32_t width = g->index + 3;
    nytp_cells_blanks(g->out, width - digits_of(number) - 2);
    nytp_text_around(g->out, "[", number, "] ");
    if (e->sub == NYTP_ENTRY_CYCLE) nytp_text_around(g->out, "<cycle ", g->e.c.groups[e->group].cycle, ">");
    else nytp_gprof_sub(g->out, g->g.p, e->sub, nytp_gprof_left(g->out, &g->g, line));
    nytp_buf_byte(g->out, '\n');
}

/* Cycles come last. */
static enum nytp_code put_index(const graph *g) {
    uint32_t n = 0;
    named *all = malloc((g->e.n + (size_t)1) * sizeof *all);
    if (!all) return NYTP_NOMEM;
    for (uint32_t i = 0; i < g->e.n; i++) {
        const nytp_entry *e = &g->e.at[i];
        if (e->is_shown && e->sub != NYTP_ENTRY_CYCLE) all[n++] = (named){g->g.p->subs[e->sub].name, i + 1};
    }
    if (n) qsort(all, n, sizeof *all, by_name);
    nytp_text_put(g->out, "Index by function name\n\n");
    for (uint32_t i = 0; i < n; i++) put_indexed(g, all[i].number);
    for (uint32_t i = 0; i < g->e.n; i++)
        if (g->e.at[i].is_shown && g->e.at[i].sub == NYTP_ENTRY_CYCLE) put_indexed(g, i + 1);
    free(all);
    return NYTP_OK;
}

static void put_entries(const graph *g, int is_brief) {
    put_head(g);
    for (uint32_t i = 0; i < g->e.n; i++) {
        const nytp_entry *e = &g->e.at[i];
        if (!e->is_shown) continue;
        if (e->sub == NYTP_ENTRY_CYCLE) put_cycle(g, e);
        else put_sub(g, e);
        nytp_text_put(g->out, "-----------------------------------------------\n");
        if (nytp_sink_drain(g->sink, g->out, NYTP_SINK_PIECE)) break;
    }
    if (!is_brief) put_legend(g->out, g->g.has_points);
    nytp_gprof_feed(g->out, &g->g);
}

static int write_graph(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    graph g = {.g = nytp_gprof_of(r, r->values[STYLE].given != 0), .out = &out, .sink = sink};
    g.relatives = malloc((r->profiles->subs_n + (size_t)1) * sizeof *g.relatives);
    int code = NYTP_NOMEM;
    if (g.relatives) code = nytp_entries_make(&g.e, r->profiles, r->selection);
    if (!code) {
        nytp_sink_begin(sink, NYTP_LIT("graph.txt"));
        measure(&g);
        put_entries(&g, r->values[BRIEF].given != 0);
        code = nytp_sink_finish(sink, &out, put_index(&g));
    }
    nytp_entries_free(&g.e);
    free(g.relatives);
    return code;
}

const nytp_report nytp_graph_report = {
    .name = "graph",
    .task = NYTP_TASK_LOOK,
    .summary = "prints the callers and callees of each sub, as gprof does",
    .output = "-",
    .is_page = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_graph,
};
