/* SPDX-License-Identifier: MIT */
/* speedscope.c - call paths for https://www.speedscope.app: a sampled profile for each process and value, which are
 * time, calls and metrics.
 *
 * A sample is a path, outermost frame first, and its weight is the innermost frame's own value. Samples come in the
 * order of the tree, the heaviest first: so the view in the order of time shows the same picture as that by weight. */
#include "base/table.h"
#include "export/speedscope_build.h"
#include "export/subpaths.h"
#include "model/metrics.h"
#include "report/json.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"

typedef struct speedscope {
    const nytp_request *r;
    const nytp_profile *p;
    nytp_json json;
    uint32_t *number;   /* per sub: 1 + its frame; 0: none yet */
    uint32_t *frames;   /* per frame the first sub that it stands for */
    uint32_t frames_n;
    nytp_table known;   /* of frames: 1 + number */
    uint32_t *path;     /* frames of the current path by depth */
} speedscope;

static const nytp_arg args[] = {NYTP_ARGS_CLASSES, NYTP_ARGS_METRIC, NYTP_ARGS_PATHS, {0}};

/* ---- frames ---- */

static int is_frame(const void *of, uint32_t number, const void *like) {
    const speedscope *s = of;
    const nytp_sub *a = &s->p->subs[s->frames[number - 1]], *b = like;
    return a->file == b->file && a->first_line == b->first_line && nytp_str_eq(a->name, b->name);
}

/* The frame of a sub: subs of one name, file and line, as closures are, share one. UINT32_MAX when memory is short. */
static uint32_t frame_of(speedscope *s, uint32_t sub) {
    const nytp_sub *of = &s->p->subs[sub];
    if (s->number[sub]) return s->number[sub] - 1;
    uint32_t *found = nytp_table_at(&s->known, nytp_str_hash(of->name) ^ of->first_line, is_frame, s, of);
    if (!found) return UINT32_MAX;
    if (!*found) {
        s->frames[s->frames_n] = sub;
        *found = ++s->frames_n;
    }
    s->number[sub] = *found;
    return *found - 1;
}

static void put_frames(speedscope *s) {
    nytp_buf name = {0};
    nytp_json_object(&s->json, "shared");
    nytp_json_array(&s->json, "frames");
    for (uint32_t i = 0; i < s->frames_n; i++) {
        const nytp_sub *sub = &s->p->subs[s->frames[i]];
        nytp_buf_rewind(&name);
        nytp_names_sub(&name, s->p, sub);
        nytp_json_object(&s->json, NULL);
        nytp_json_name(&s->json, "name", nytp_page_bytes(&name));
        if (sub->file) nytp_json_name(&s->json, "file", s->p->files[sub->file].name);
        if (sub->file && sub->first_line) nytp_json_number(&s->json, "line", sub->first_line);
        nytp_json_end(&s->json);
    }
    nytp_json_end(&s->json);
    nytp_json_end(&s->json);
    nytp_buf_done(&name, s->json.out);
}

/* ---- profiles ---- */

/* A value of call paths. */
typedef struct kind {
    nytp_str title;
    const char *unit;
    nytp_calltree_options options;
} kind;

static kind kind_of_metric(const speedscope *s, uint32_t metric) {
    const nytp_metric *m = &s->p->metrics[metric];
    const char *unit = nytp_str_eq(m->unit, NYTP_LIT("B"))    ? "bytes"
                       : nytp_str_eq(m->unit, NYTP_LIT("ns")) ? "nanoseconds"
                                                              : "none";
    return (kind){m->title.n ? m->title : m->name, unit, {.metric = metric + 1, .selection = s->r->selection}};
}

/* The value that ranks comes first, since a viewer shows that first. Calls that were not counted are left out. */
static uint32_t kinds_of(const speedscope *s, kind kinds[NYTP_FORMAT_METRICS + 2]) {
    nytp_shown shown = nytp_shown_of(&s->r->shown, s->p, NYTP_OF_NODE);
    uint32_t n = 0, at = 0;
    if (shown.ranks) kinds[n++] = kind_of_metric(s, shown.at[at++]);
    kinds[n++] = (kind){NYTP_LIT("time"), "nanoseconds", {.selection = s->r->selection}};
    if (!s->p->is_uncounted || s->p->totals.calls)
        kinds[n++] = (kind){NYTP_LIT("calls"), "none", {.calls = 1, .selection = s->r->selection}};
    while (at < shown.n) kinds[n++] = kind_of_metric(s, shown.at[at++]);
    return n;
}

/* The node behind the last one of a process's paths; 0: there is none. */
static uint32_t end_of(const nytp_calltree *t, uint32_t process) { return t->at[process].next; }

static int put_samples(speedscope *s, const nytp_calltree *t, uint32_t process) {
    nytp_json_array(&s->json, "samples");
    for (uint32_t i = t->at[process].child; i && i != end_of(t, process); i = nytp_calltree_next(t, i)) {
        uint32_t depth = t->at[i].depth;
        s->path[depth] = frame_of(s, t->at[i].callee);
        if (s->path[depth] == UINT32_MAX) return NYTP_NOMEM;
        if (!nytp_subpaths_value(t, i)) continue;
        nytp_json_array(&s->json, NULL);
        for (uint32_t d = 2; d <= depth; d++) nytp_json_number(&s->json, NULL, s->path[d]);
        nytp_json_end(&s->json);
    }
    nytp_json_end(&s->json);
    return NYTP_OK;
}

/* Returns their sum. */
static uint64_t put_weights(speedscope *s, const nytp_calltree *t, uint32_t process) {
    uint64_t sum = 0;
    nytp_json_array(&s->json, "weights");
    for (uint32_t i = t->at[process].child; i && i != end_of(t, process); i = nytp_calltree_next(t, i)) {
        uint64_t value = nytp_subpaths_value(t, i);
        if (value) nytp_json_number(&s->json, NULL, value);
        sum += value;
    }
    nytp_json_end(&s->json);
    return sum;
}

/* "main.pl (process 4711, thread 2): time"; a single process is not named. */
static void put_name(speedscope *s, const kind *k, uint32_t number) {
    nytp_buf name = {0};
    if (s->p->processes_n > 1) {
        nytp_names_process(&name, &s->p->processes[number]);
        nytp_text_put(&name, ": ");
    }
    nytp_text_str(&name, k->title);
    nytp_json_name(&s->json, "name", nytp_page_bytes(&name));
    nytp_buf_done(&name, s->json.out);
}

static int put_profile(speedscope *s, const kind *k, const nytp_calltree *t, uint32_t process) {
    nytp_json_object(&s->json, NULL);
    nytp_json_text(&s->json, "type", "sampled");
    put_name(s, k, nytp_subpaths_process(s->p, t, process));
    nytp_json_text(&s->json, "unit", k->unit);
    nytp_json_number(&s->json, "startValue", 0);
    if (put_samples(s, t, process)) return NYTP_NOMEM;
    uint64_t sum = put_weights(s, t, process);
    nytp_json_number(&s->json, "endValue", sum);
    nytp_json_end(&s->json);
    return NYTP_OK;
}

static int put_kind(speedscope *s, const kind *k) {
    nytp_calltree t = {0};
    int code = nytp_subpaths_make(&t, s->p, &k->options);
    for (uint32_t i = t.n ? t.at[0].child : 0; i && !code; i = t.at[i].next) code = put_profile(s, k, &t, i);
    nytp_calltree_free(&t);
    return code;
}

/* ---- the report ---- */

/* Frames come last, as the paths tell which there are. */
static int put_all(speedscope *s) {
    nytp_json *j = &s->json;
    kind kinds[NYTP_FORMAT_METRICS + 2];
    uint32_t n = kinds_of(s, kinds);
    int code = NYTP_OK;
    nytp_json_object(j, NULL);
    nytp_json_text(j, "$schema", "https://www.speedscope.app/file-format-schema.json");
    nytp_json_name(j, "name", s->p->processes_n ? s->p->processes[0].program : NYTP_LIT("nytprof"));
    nytp_json_program(j, "exporter", s->r->version);
    nytp_json_number(j, "activeProfileIndex", 0);
    nytp_json_array(j, "profiles");
    for (uint32_t i = 0; i < n && !code; i++) code = put_kind(s, &kinds[i]);
    if (code) return code;
    nytp_json_end(j);
    put_frames(s);
    nytp_json_end(j);
    nytp_json_finish(j);
    return NYTP_OK;
}

static int write_speedscope(const nytp_request *r, nytp_sink *sink) {
    nytp_arena arena = {0};
    nytp_buf out = {0};
    const nytp_profile *p = r->profiles;
    speedscope s = {.r = r, .p = p, .json = {.out = &out, .sink = sink, .lines = 3}};
    s.number = nytp_arena_get(&arena, (p->subs_n + (size_t)1) * sizeof *s.number);
    s.frames = nytp_arena_get(&arena, (p->subs_n + (size_t)1) * sizeof *s.frames);
    s.path = nytp_arena_get(&arena, (NYTP_CALLTREE_DEEPEST + 1) * sizeof *s.path);
    int code = s.number && s.frames && s.path ? NYTP_OK : NYTP_NOMEM;
    nytp_sink_begin(sink, NYTP_LIT("nytprof.speedscope.json"));
    if (!code) code = put_all(&s);
    nytp_table_free(&s.known);
    nytp_arena_free(&arena);
    return nytp_sink_finish(sink, &out, code);
}

const nytp_report nytp_speedscope_report = {
    .name = "speedscope",
    .task = NYTP_TASK_EXPORT,
    .summary = "writes call paths for speedscope.app",
    .output = "nytprof.speedscope.json",
    .is_page = 1,
    .is_apart = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_speedscope,
    .write_build = nytp_speedscope_build_write,
};
