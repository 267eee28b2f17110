/* SPDX-License-Identifier: MIT */
/* pprof.c - the profile as a gzipped protocol buffer, perftools.profiles.Profile, for pprof and what else reads it.
 *
 * A location is a sub and a line. Samples come with the most time first; locations, functions and strings are numbered
 * in the order of their first use. */
#include <string.h>

#include "export/gzip.h"
#include "export/proto.h"
#include "export/spots.h"
#include "model/samples.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"

/* The numbers of fields. */
enum { SAMPLE_TYPE = 1, SAMPLE, MAPPING, LOCATION, FUNCTION, STRING_TABLE, TIME_NANOS = 9, DURATION_NANOS,
       PERIOD_TYPE, PERIOD, COMMENT, DEFAULT_SAMPLE_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM };
enum { MAPPING_ID = 1, MAPPING_FILENAME = 5, MAPPING_HAS_FUNCTIONS = 7, MAPPING_HAS_INLINE_FRAMES = 10 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_FILENAME = 4, FUNCTION_START_LINE };

/* The first strings. */
enum { EMPTY, CALLS, COUNT, WALL, NS, PID, PROCESS, THREAD, BYTES, CPU, SAMPLES, WORDS };
static const char *const words[WORDS] = {"", "calls", "count", "wall", "nanoseconds", "pid", "process", "thread",
                                         "bytes", "cpu", "samples"};

/* Of the values of a sample; smaller numbers are metrics of the profile. */
enum { OF_CALLS = NYTP_FORMAT_METRICS, OF_WALL };

#define LONGEST_ID 5 /* bytes of a location's id */

/* The path to the node that is written. Samples begin with the last frame, and paths have most of their first frames in
 * common: the ids of these are written from the end of `ids` to its beginning, once for all of these paths. */
typedef struct path {
    uint32_t spots[NYTP_CALLTREE_DEEPEST + 1]; /* by depth */
    uint32_t begin[NYTP_CALLTREE_DEEPEST + 1]; /* by depth, where in ids that of the frame and those behind it begin */
    uint32_t known; /* frames up to this depth have their ids there */
    unsigned char ids[(NYTP_CALLTREE_DEEPEST + 1) * LONGEST_ID];
} path;

typedef struct pprof {
    const nytp_profile *p;
    nytp_shown shown;
    nytp_spots spots;
    nytp_arena arena;
    nytp_buf out, tables, message, part; /* tables: strings, locations and functions, which come last */
    path path;
    uint64_t strings, locations, functions; /* numbers of them */
    uint32_t *location;        /* per spot its id, or 0 */
    uint32_t *function;        /* per function of spots its id, or 0 */
    uint32_t *file, *program;  /* per file, and per process, the string of its name, or 0 */
    uint32_t columns[NYTP_FORMAT_METRICS + 2], columns_n; /* what each value of a sample is */
    int64_t *values[NYTP_FORMAT_METRICS + 2]; /* per column of a metric, and node of the call tree */
} pprof;

/* ---- strings, functions and locations ---- */

/* The number of a new string; its text is valid UTF-8. */
static uint64_t string_of(pprof *x, nytp_str text) {
    nytp_buf_rewind(&x->part);
    nytp_escape_text(&x->part, text);
    nytp_proto_bytes(&x->tables, STRING_TABLE, &x->part);
    return x->strings++;
}

static uint64_t name_of(pprof *x, uint32_t *known, nytp_str text) {
    if (!*known) *known = (uint32_t)string_of(x, text);
    return *known;
}

/* Subs without a file, as those in C, have none. */
static uint64_t make_function(pprof *x, const nytp_spot *spot) {
    const nytp_sub *sub = &x->p->subs[spot->sub];
    uint64_t name = string_of(x, sub->name), id = ++x->functions;
    uint64_t file = spot->file ? name_of(x, &x->file[spot->file], x->p->files[spot->file].name) : EMPTY;
    nytp_buf_rewind(&x->part);
    nytp_proto_number(&x->part, FUNCTION_ID, id);
    nytp_proto_number(&x->part, FUNCTION_NAME, name);
    nytp_proto_number(&x->part, FUNCTION_FILENAME, file);
    nytp_proto_number(&x->part, FUNCTION_START_LINE, spot->file == sub->file ? sub->first_line : 0);
    nytp_proto_bytes(&x->tables, FUNCTION, &x->part);
    return id;
}

static uint64_t function_of(pprof *x, const nytp_spot *spot) {
    uint32_t *known = &x->function[spot->function];
    if (!*known) *known = (uint32_t)make_function(x, spot);
    return *known;
}

static uint64_t location_of(pprof *x, uint32_t number) {
    const nytp_spot *spot = &x->spots.at[number];
    nytp_buf line = {0};
    if (x->location[number]) return x->location[number];
    nytp_proto_number(&line, LINE_FUNCTION, function_of(x, spot));
    nytp_proto_number(&line, LINE_LINE, spot->line);
    nytp_buf_rewind(&x->part);
    nytp_proto_number(&x->part, LOCATION_ID, ++x->locations);
    nytp_proto_number(&x->part, LOCATION_MAPPING, 1);
    nytp_proto_bytes(&x->part, LOCATION_LINE, &line);
    nytp_proto_bytes(&x->tables, LOCATION, &x->part);
    nytp_buf_done(&line, &x->out);
    return x->location[number] = (uint32_t)x->locations;
}

/* ---- samples ---- */

static void put_label(pprof *x, uint64_t key, uint64_t string, uint64_t number) {
    nytp_buf_rewind(&x->part);
    nytp_proto_number(&x->part, LABEL_KEY, key);
    nytp_proto_number(&x->part, LABEL_STR, string);
    nytp_proto_number(&x->part, LABEL_NUM, number);
    nytp_proto_bytes(&x->message, SAMPLE_LABEL, &x->part);
}

static void put_labels(pprof *x, uint32_t process) {
    if (process >= x->p->processes_n) return;
    const nytp_process *of = &x->p->processes[process];
    put_label(x, PID, 0, of->id.pid);
    if (of->program.n) put_label(x, PROCESS, name_of(x, &x->program[process], of->program), 0);
    if (of->id.thread) put_label(x, THREAD, 0, of->id.thread);
}

static uint64_t whole(int64_t v) { return v > 0 ? (uint64_t)v : 0; }

/* Returns 0 if all values are 0. */
static int put_values(pprof *x, uint32_t i) {
    const nytp_calltree_node *node = &x->spots.tree.at[i];
    uint64_t any = 0;
    nytp_buf_rewind(&x->part);
    for (uint32_t c = 0; c < x->columns_n; c++) {
        uint64_t value = x->columns[c] == OF_CALLS ? (uint64_t)node->calls
                                                   : whole(x->columns[c] == OF_WALL ? node->self : x->values[c][i]);
        any |= value;
        nytp_buf_u(&x->part, value);
    }
    nytp_proto_bytes(&x->message, SAMPLE_VALUE, &x->part);
    return any != 0;
}

/* Frames are below nodes of processes, which have no ids. */
static void enter(path *at, uint32_t depth, uint32_t spot) {
    at->spots[depth] = spot;
    if (at->known >= depth) at->known = depth - 1;
    if (at->known > NYTP_SPOTS_PROCESS) return;
    at->known = NYTP_SPOTS_PROCESS;
    at->begin[NYTP_SPOTS_PROCESS] = sizeof at->ids;
}

static void put_locations(pprof *x, uint32_t depth) {
    path *at = &x->path;
    unsigned char id[NYTP_BUF_VARINT];
    while (at->known < depth) {
        uint32_t end = at->begin[at->known++];
        size_t n = (size_t)(nytp_buf_varint(id, location_of(x, at->spots[at->known])) - id);
        at->begin[at->known] = end - (uint32_t)n;
        memcpy(at->ids + at->begin[at->known], id, n);
    }
    nytp_proto_text(&x->message, SAMPLE_LOCATION,
                    (nytp_str){(const char *)at->ids + at->begin[depth], sizeof at->ids - at->begin[depth]});
}

static void put_samples(pprof *x) {
    const nytp_calltree *t = &x->spots.tree;
    uint32_t process = 0;
    for (uint32_t i = nytp_calltree_next(t, 0); i && !x->out.failed; i = nytp_calltree_next(t, i)) {
        nytp_buf_rewind(&x->message);
        const nytp_calltree_node *node = &t->at[i];
        if (nytp_spots_is_process(&x->spots, i)) process = node->callee;
        enter(&x->path, node->depth, node->callee);
        if (!put_values(x, i)) continue;
        put_locations(x, node->depth);
        put_labels(x, process);
        nytp_proto_bytes(&x->out, SAMPLE, &x->message);
    }
}

/* ---- the rest ---- */

static void put_type(pprof *x, uint32_t field, uint64_t type, uint64_t unit) {
    nytp_buf_rewind(&x->message);
    nytp_proto_number(&x->message, TYPE_TYPE, type);
    nytp_proto_number(&x->message, TYPE_UNIT, unit);
    nytp_proto_bytes(&x->out, field, &x->message);
}

static uint64_t unit_of(pprof *x, const nytp_metric *m) {
    if (nytp_str_eq(m->unit, NYTP_LIT("B"))) return BYTES;
    if (nytp_str_eq(m->unit, NYTP_LIT("ns"))) return NS;
    return m->unit.n && !nytp_str_eq(m->unit, NYTP_LIT("samples")) ? string_of(x, m->unit) : COUNT;
}

static uint64_t type_of(pprof *x, const nytp_metric *m) {
    if (nytp_str_eq(m->name, NYTP_LIT("cpu"))) return CPU;
    return nytp_str_eq(m->name, NYTP_LIT("samples")) ? SAMPLES : string_of(x, m->name);
}

/* The ranking type is the default one: a metric that the user has chosen, CPU time of a sampled program, or time. */
static void put_types(pprof *x) {
    uint64_t type, ranking = WALL, period = nytp_samples_period(x->p);
    int has_cpu = x->p->is_uncounted && nytp_metrics_find(x->p, NYTP_LIT("cpu")) < x->p->metrics_n;
    for (uint32_t c = 0; c < x->columns_n; c++) {
        uint32_t of = x->columns[c];
        const nytp_metric *m = of < OF_CALLS ? &x->p->metrics[of] : NULL;
        type = m ? type_of(x, m) : of == OF_WALL ? WALL : CALLS;
        put_type(x, SAMPLE_TYPE, type, m ? unit_of(x, m) : of == OF_WALL ? NS : COUNT);
        if (x->shown.ranks ? of == x->shown.at[0] : has_cpu && type == CPU) ranking = type;
    }
    nytp_proto_number(&x->out, DEFAULT_SAMPLE_TYPE, ranking);
    put_type(x, PERIOD_TYPE, has_cpu ? CPU : WALL, NS);
    nytp_proto_number(&x->out, PERIOD, period ? period : 1);
}

/* What pprof calls the binary; it has names, files and lines for all. */
static void put_mapping(pprof *x, nytp_str program) {
    uint64_t name = string_of(x, program);
    nytp_buf_rewind(&x->message);
    nytp_proto_number(&x->message, MAPPING_ID, 1);
    nytp_proto_number(&x->message, MAPPING_FILENAME, name);
    for (uint32_t field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINE_FRAMES; field++)
        nytp_proto_number(&x->message, field, 1);
    nytp_proto_bytes(&x->out, MAPPING, &x->message);
}

static void put_run(pprof *x, const char *version) {
    const nytp_process *first = x->p->processes_n ? &x->p->processes[0] : NULL;
    nytp_buf maker = {0};
    nytp_names_maker(&maker, version);
    put_mapping(x, first ? first->program : NYTP_LIT("?"));
    nytp_proto_number(&x->out, TIME_NANOS, nytp_profile_first_start(x->p));
    nytp_proto_number(&x->out, DURATION_NANOS, whole(x->p->totals.elapsed));
    nytp_proto_number(&x->out, COMMENT, string_of(x, nytp_page_bytes(&maker)));
    nytp_buf_done(&maker, &x->out);
}

/* ---- columns ---- */

static int is_column(const pprof *x, uint32_t of) {
    uint32_t c = 0;
    while (c < x->columns_n && x->columns[c] != of) c++;
    return c < x->columns_n;
}

static void add_column(pprof *x, uint32_t of) {
    if (!is_column(x, of)) x->columns[x->columns_n++] = of;
}

static void add_metric(pprof *x, nytp_str name) {
    uint32_t m = nytp_metrics_find(x->p, name);
    if (m < x->p->metrics_n) add_column(x, m);
}

/* Servers of profiles expect the number of samples first, and their period in the unit of the second value. Where calls
 * are not counted they are left out. Otherwise a value is any number of periods of 1 ns. */
static void choose_columns(pprof *x) {
    if (x->p->is_uncounted) {
        add_metric(x, NYTP_LIT("samples"));
        add_metric(x, NYTP_LIT("cpu"));
    } else add_column(x, OF_CALLS);
    add_column(x, OF_WALL);
    if (x->p->is_uncounted && x->p->totals.calls) add_column(x, OF_CALLS);
    for (uint32_t i = 0; i < x->shown.n; i++) add_column(x, x->shown.at[i]);
}

/* Returns an nytp_code, as the next ones. */
static int prepare(pprof *x, const nytp_selection *selection) {
    const nytp_profile *p = x->p;
    int with = NYTP_SPOTS_CALLS | (p->metrics_n ? NYTP_SPOTS_PARTS : 0);
    if (nytp_spots_make(&x->spots, p, selection, with)) return NYTP_NOMEM;
    x->location = nytp_arena_get(&x->arena, (x->spots.n + (size_t)1) * sizeof *x->location);
    x->function = nytp_arena_get(&x->arena, (x->spots.functions_n + (size_t)1) * sizeof *x->function);
    x->file = nytp_arena_get(&x->arena, (p->files_n + (size_t)1) * sizeof *x->file);
    x->program = nytp_arena_get(&x->arena, (p->processes_n + (size_t)1) * sizeof *x->program);
    if (!x->location || !x->function || !x->file || !x->program) return NYTP_NOMEM;
    choose_columns(x);
    for (uint32_t c = 0; c < x->columns_n; c++) {
        if (x->columns[c] >= OF_CALLS) continue;
        x->values[c] = nytp_arena_get(&x->arena, (x->spots.tree.n + (size_t)1) * sizeof *x->values[c]);
        if (!x->values[c]) return NYTP_NOMEM;
        nytp_spots_values(&x->spots, p, x->columns[c], x->values[c]);
    }
    return NYTP_OK;
}

static int make(pprof *x, const nytp_request *r, nytp_buf *file) {
    int code = prepare(x, r->selection);
    if (code) return code;
    for (int i = 0; i < WORDS; i++) string_of(x, nytp_str_c(words[i]));
    put_types(x);
    put_samples(x);
    put_run(x, r->version);
    nytp_buf_bytes(&x->out, x->tables.p, x->tables.n);
    if (x->tables.failed || x->message.failed || x->part.failed || x->out.failed) return NYTP_NOMEM;
    return nytp_gzip(file, &x->out);
}

static int write_pprof(const nytp_request *r, nytp_sink *sink) {
    pprof x = {.p = r->profiles, .shown = nytp_shown_of(&r->shown, r->profiles, NYTP_OF_NODE)};
    nytp_buf file = {0};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.pb.gz"));
    int code = make(&x, r, &file);
    nytp_buf *const all[] = {&x.out, &x.tables, &x.message, &x.part};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) nytp_buf_free(all[i]);
    nytp_spots_free(&x.spots);
    nytp_arena_free(&x.arena);
    return nytp_sink_finish(sink, &file, code);
}

static const nytp_arg args[] = {NYTP_ARGS_METRIC, NYTP_ARGS_PATHS, {0}};

const nytp_report nytp_pprof_report = {
    .name = "pprof",
    .summary = "writes call paths with lines for Go's pprof",
    .output = "nytprof.pb.gz",
    .is_page = 1,
    .is_binary = 1,
    .is_apart = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_pprof,
};
