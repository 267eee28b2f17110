/* SPDX-License-Identifier: MIT */
/* cpuprofile.c - call paths as V8 writes its CPU profiles, for editors (VS Code) and the developer tools of browsers.
 *
 * V8 takes samples. This file has one for each path with time of its own, in the order of the tree, the heaviest first,
 * and says for how long it was the current one. Hits are nanoseconds, so that those of a node's lines add up to its
 * own. Which path spent how much on which line is an estimate (spread.h). */
#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "export/spread.h"
#include "export/subpaths.h"
#include "model/costs.h"
#include "report/escape.h"
#include "report/json.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"

#define MICROSECONDS 3 /* decimal places between them and nanoseconds */
#define ROOT 1         /* its id; node i of the tree, in the order of the tree, has the ids from 2 on */

typedef struct part { /* of a node's time: what it spent on a line */
    uint32_t id, line;
    int64_t ns;
} part;

typedef struct cpuprofile {
    const nytp_profile *p;
    nytp_json json;
    nytp_calltree tree;
    nytp_costs costs;
    uint32_t *id; /* per node; 0: it is not written */
    uint64_t sum;
    part *parts; /* in the order of ids and lines */
    uint32_t parts_n, parts_room, parts_written;
    const uint32_t *nodes; /* of the sub whose time is divided, and its lines */
    uint32_t *lines;
} cpuprofile;

static const nytp_arg args[] = {NYTP_ARGS_PATHS, {0}};

static int is_process(const cpuprofile *c, uint32_t i) { return c->tree.at[i].depth == 1; }

/* A single process has no node. */
static int has_node(const cpuprofile *c, uint32_t i) { return !is_process(c, i) || c->p->processes_n > 1; }

static uint64_t value_of(const cpuprofile *c, uint32_t i) { return nytp_subpaths_value(&c->tree, i); }

/* Returns an nytp_code. */
static int number_nodes(cpuprofile *c) {
    uint32_t id = ROOT;
    c->id = calloc(c->tree.n + (size_t)1, sizeof *c->id);
    if (!c->id) return NYTP_NOMEM;
    for (uint32_t i = nytp_subpaths_first(&c->tree); i; i = nytp_calltree_next(&c->tree, i)) {
        c->id[i] = has_node(c, i) ? ++id : ROOT;
        c->sum += value_of(c, i);
    }
    return NYTP_OK;
}

/* ---- lines ---- */

/* A phase of the program has no file of its own: that is where it took the most time. */
static uint32_t file_of(const cpuprofile *c, uint32_t sub) {
    const nytp_cost *most = NULL, *end = c->costs.at + c->costs.first[sub + 1];
    if (c->p->subs[sub].file) return c->p->subs[sub].file;
    for (const nytp_cost *row = c->costs.at + c->costs.first[sub]; row < end; row++)
        if (row->file && (!most || row->ticks > most->ticks)) most = row;
    return most ? most->file : 0;
}

/* Takes the time that a node spent on one of its sub's lines. */
static int add_part(void *context, uint32_t row, uint32_t column, int64_t ns) {
    cpuprofile *c = context;
    part *made = nytp_grow_owned(&c->parts, c->parts_n, &c->parts_room, sizeof *made);
    if (!made) return NYTP_NOMEM;
    *made = (part){c->id[c->nodes[row]], c->lines[column], ns};
    c->parts_n++;
    return NYTP_OK;
}

/* The sub's lines and their times. Those of other files are left out, as V8 has no place for these. */
static uint32_t find_lines(cpuprofile *c, uint32_t sub, int64_t *times) {
    const nytp_cost *end = c->costs.at + c->costs.first[sub + 1];
    uint32_t n = 0, file = file_of(c, sub);
    for (const nytp_cost *row = c->costs.at + c->costs.first[sub]; row < end; row++) {
        if (row->file != file || !row->line || row->ticks <= 0) continue;
        c->lines[n] = row->line;
        times[n++] = row->ticks;
    }
    return n;
}

/* Makes the times of lines add up to those of the nodes: differences of rounded sums. */
static void scale(int64_t *times, uint32_t n, double whole) {
    double all = 0, sum = 0;
    int64_t given = 0;
    for (uint32_t j = 0; j < n; j++) all += (double)times[j];
    for (uint32_t j = 0; j < n; j++) {
        sum += (double)times[j];
        int64_t up_to = nytp_ticks_whole(whole * (sum / all));
        times[j] = up_to - given;
        given = up_to;
    }
}

/* Divides the times of a sub's nodes[0..n) among its lines; `times` has room for all. */
static int add_sub(cpuprofile *c, uint32_t sub, const uint32_t *nodes, uint32_t n, int64_t *times) {
    double whole = 0;
    uint32_t lines = n ? find_lines(c, sub, times + n) : 0;
    nytp_spread spread = {.rows = times, .columns = times + n, .left = times + n + lines, .rows_n = n,
                          .columns_n = lines, .least = nytp_spread_least(c->p->totals.whole), .take = add_part,
                          .context = c};
    c->nodes = nodes;
    for (uint32_t i = 0; i < n; i++) {
        times[i] = (int64_t)value_of(c, nodes[i]);
        whole += (double)times[i];
    }
    scale(times + n, lines, whole);
    return lines ? nytp_spread_all(&spread) : NYTP_OK;
}

static int by_id(const void *a, const void *b) {
    const part *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int has_lines(const cpuprofile *c, uint32_t i) { return !is_process(c, i) && value_of(c, i); }

/* Sorts the nodes by sub: a count per sub becomes the index of its first one, then of its end. */
static void sort_nodes(const cpuprofile *c, uint32_t *sorted, uint32_t *ends) {
    const nytp_calltree *t = &c->tree;
    uint32_t before = 0;
    for (uint32_t i = nytp_subpaths_first(t); i; i = nytp_calltree_next(t, i))
        if (has_lines(c, i)) ends[t->at[i].callee]++;
    for (uint32_t i = 0; i < c->p->subs_n; i++) {
        uint32_t n = ends[i];
        ends[i] = before;
        before += n;
    }
    for (uint32_t i = nytp_subpaths_first(t); i; i = nytp_calltree_next(t, i))
        if (has_lines(c, i)) sorted[ends[t->at[i].callee]++] = i;
}

/* Returns an nytp_code. */
static int divide(cpuprofile *c) {
    uint32_t *sorted = malloc((c->tree.n + (size_t)1) * sizeof *sorted);
    uint32_t *ends = calloc(c->p->subs_n + (size_t)1, sizeof *ends);
    int64_t *times = malloc((c->tree.n + 2 * (size_t)(c->costs.n + 1)) * sizeof *times);
    c->lines = malloc((c->costs.n + (size_t)1) * sizeof *c->lines);
    int code = sorted && ends && times && c->lines ? NYTP_OK : NYTP_NOMEM;
    if (!code) sort_nodes(c, sorted, ends);
    for (uint32_t i = 0, begin = 0; i < c->p->subs_n && !code; begin = ends[i++])
        code = add_sub(c, i, sorted + begin, ends[i] - begin, times);
    if (c->parts_n) qsort(c->parts, c->parts_n, sizeof *c->parts, by_id);
    free(sorted);
    free(ends);
    free(times);
    free(c->lines);
    return code;
}

/* ---- nodes ---- */

static void put_frame(nytp_json *j, nytp_str name, uint64_t script, nytp_str url, int64_t line) {
    nytp_buf number = {0};
    nytp_text_number(&number, script);
    nytp_json_object(j, "callFrame");
    nytp_json_name(j, "functionName", name);
    nytp_json_string(j, "scriptId", nytp_page_bytes(&number));
    nytp_json_name(j, "url", url);
    nytp_json_signed(j, "lineNumber", line);
    nytp_json_signed(j, "columnNumber", line < 0 ? -1 : 0);
    nytp_json_end(j);
    nytp_buf_done(&number, j->out);
}

/* Files with an absolute name are links that editors follow. */
static void put_sub_frame(const cpuprofile *c, nytp_json *j, uint32_t sub) {
    nytp_buf name = {0}, url = {0};
    uint32_t number = file_of(c, sub);
    nytp_str file = number ? c->p->files[number].name : (nytp_str){NULL, 0};
    int64_t line = c->p->subs[sub].first_line;
    nytp_names_sub(&name, c->p, &c->p->subs[sub]);
    if (nytp_str_starts(file, NYTP_LIT("/"))) {
        nytp_text_put(&url, "file://");
        nytp_escape_url(&url, file);
        file = nytp_page_bytes(&url);
    }
    put_frame(j, nytp_page_bytes(&name), number, file, line ? line - 1 : number ? 0 : -1);
    nytp_buf_done(&name, j->out);
    nytp_buf_done(&url, j->out);
}

static void put_process_frame(nytp_json *j, const nytp_process *process) {
    nytp_buf name = {0};
    nytp_names_process(&name, process);
    put_frame(j, nytp_page_bytes(&name), 0, (nytp_str){NULL, 0}, -1);
    nytp_buf_done(&name, j->out);
}

static void put_lines(cpuprofile *c, uint32_t id) {
    nytp_json_array(&c->json, "positionTicks");
    while (c->parts_written < c->parts_n && c->parts[c->parts_written].id == id) {
        part line = c->parts[c->parts_written++];
        for (; c->parts_written < c->parts_n && !by_id(&c->parts[c->parts_written], &line); c->parts_written++)
            line.ns += c->parts[c->parts_written].ns;
        nytp_json_object(&c->json, NULL);
        nytp_json_number(&c->json, "line", line.line);
        nytp_json_number(&c->json, "ticks", (uint64_t)line.ns);
        nytp_json_end(&c->json);
    }
    nytp_json_end(&c->json);
}

/* Processes without a node let their children be those of the node above. */
static void put_children(cpuprofile *c, uint32_t i) {
    const nytp_calltree *t = &c->tree;
    nytp_json_array(&c->json, "children");
    for (uint32_t k = t->n ? t->at[i].child : 0; k; k = t->at[k].next) {
        if (has_node(c, k)) nytp_json_number(&c->json, NULL, c->id[k]);
        for (uint32_t l = has_node(c, k) ? 0 : t->at[k].child; l; l = t->at[l].next)
            nytp_json_number(&c->json, NULL, c->id[l]);
    }
    nytp_json_end(&c->json);
}

static void put_node(cpuprofile *c, uint32_t i) {
    const nytp_calltree_node *node = &c->tree.at[i];
    nytp_json_object(&c->json, NULL);
    nytp_json_number(&c->json, "id", c->id[i]);
    if (is_process(c, i)) put_process_frame(&c->json, &c->p->processes[nytp_subpaths_process(c->p, &c->tree, i)]);
    else put_sub_frame(c, &c->json, node->callee);
    nytp_json_number(&c->json, "hitCount", value_of(c, i));
    put_children(c, i);
    if (value_of(c, i) && !is_process(c, i)) put_lines(c, c->id[i]);
    nytp_json_end(&c->json);
}

static void put_nodes(cpuprofile *c) {
    nytp_json_array(&c->json, "nodes");
    nytp_json_object(&c->json, NULL);
    nytp_json_number(&c->json, "id", ROOT);
    put_frame(&c->json, NYTP_LIT("(root)"), 0, (nytp_str){NULL, 0}, -1);
    nytp_json_number(&c->json, "hitCount", 0);
    put_children(c, 0);
    nytp_json_end(&c->json);
    for (uint32_t i = nytp_subpaths_first(&c->tree); i; i = nytp_calltree_next(&c->tree, i))
        if (has_node(c, i)) put_node(c, i);
    nytp_json_end(&c->json);
}

/* ---- samples ---- */

/* A sample lasts until the next: the last one, of the root, ends the one before it. */
static void put_samples(cpuprofile *c) {
    uint64_t before = 0;
    nytp_json_array(&c->json, "samples");
    for (uint32_t i = nytp_subpaths_first(&c->tree); i; i = nytp_calltree_next(&c->tree, i))
        if (value_of(c, i)) nytp_json_number(&c->json, NULL, c->id[i]);
    nytp_json_number(&c->json, NULL, ROOT);
    nytp_json_end(&c->json);
    nytp_json_array(&c->json, "timeDeltas");
    for (uint32_t i = nytp_subpaths_first(&c->tree); i; i = nytp_calltree_next(&c->tree, i)) {
        if (!value_of(c, i)) continue;
        nytp_json_decimal(&c->json, NULL, (int64_t)before, MICROSECONDS);
        before = value_of(c, i);
    }
    nytp_json_decimal(&c->json, NULL, (int64_t)before, MICROSECONDS);
    nytp_json_end(&c->json);
}

static void put_all(cpuprofile *c) {
    nytp_json_object(&c->json, NULL);
    put_nodes(c);
    nytp_json_number(&c->json, "startTime", 0);
    nytp_json_decimal(&c->json, "endTime", (int64_t)c->sum, MICROSECONDS);
    put_samples(c);
    nytp_json_end(&c->json);
    nytp_json_finish(&c->json);
}

static int write_cpuprofile(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    cpuprofile c = {.p = r->profiles, .json = {.out = &out, .sink = sink, .lines = 2}};
    const nytp_calltree_options options = {.selection = r->selection};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.cpuprofile"));
    int code = nytp_subpaths_make(&c.tree, c.p, &options);
    if (!code) code = nytp_costs_find(&c.costs, c.p);
    if (!code) code = number_nodes(&c);
    if (!code) code = divide(&c);
    if (!code) put_all(&c);
    free(c.id);
    free(c.parts);
    nytp_costs_free(&c.costs);
    nytp_calltree_free(&c.tree);
    return nytp_sink_finish(sink, &out, code);
}

const nytp_report nytp_cpuprofile_report = {
    .name = "cpuprofile",
    .task = NYTP_TASK_EXPORT,
    .summary = "writes call paths as V8 does, for VS Code and browsers",
    .output = "nytprof.cpuprofile",
    .is_page = 1,
    .is_apart = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_cpuprofile,
};
