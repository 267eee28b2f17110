/* SPDX-License-Identifier: MIT */
/* speedscope_build.c - the processes of a build as call paths for speedscope: sampled profiles of CPU time, real time
 * and numbers, in the same frames. */
#include "export/speedscope_build.h"

#include "report/json.h"
#include "report/lineage.h"

static const struct {
    enum nytp_lineage_value value;
    const char *title, *unit;
} kinds[] = {
    {NYTP_LINEAGE_CPU, "CPU time", "nanoseconds"},
    {NYTP_LINEAGE_REAL, "real time, without waiting for processes below", "nanoseconds"},
    {NYTP_LINEAGE_COUNT, "processes", "none"},
};

static uint32_t next_with_value(const nytp_calltree *t, uint32_t i) {
    do i = nytp_calltree_next(t, i);
    while (i && t->at[i].self <= 0);
    return i;
}

static void put_samples(nytp_json *j, const nytp_calltree *t) {
    uint32_t path[NYTP_CALLTREE_DEEPEST + 1] = {0};
    nytp_json_array(j, "samples");
    for (uint32_t i = nytp_calltree_next(t, 0); i; i = nytp_calltree_next(t, i)) {
        path[t->at[i].depth] = t->at[i].callee;
        if (t->at[i].self <= 0) continue;
        nytp_json_array(j, NULL);
        for (uint32_t d = 1; d <= t->at[i].depth; d++) nytp_json_number(j, NULL, path[d]);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_profile(nytp_json *j, const nytp_calltree *t, const char *title, const char *unit) {
    uint64_t sum = 0;
    nytp_json_object(j, NULL);
    nytp_json_text(j, "type", "sampled");
    nytp_json_text(j, "name", title);
    nytp_json_text(j, "unit", unit);
    nytp_json_number(j, "startValue", 0);
    put_samples(j, t);
    nytp_json_array(j, "weights");
    for (uint32_t i = next_with_value(t, 0); i; i = next_with_value(t, i)) {
        nytp_json_signed(j, NULL, t->at[i].self);
        sum += (uint64_t)t->at[i].self;
    }
    nytp_json_end(j);
    nytp_json_number(j, "endValue", sum);
    nytp_json_end(j);
}

static void put_frames(nytp_json *j, const nytp_stacks *s) {
    nytp_json_object(j, "shared");
    nytp_json_array(j, "frames");
    for (uint32_t i = 0; i < s->names_n; i++) {
        nytp_json_object(j, NULL);
        nytp_json_name(j, "name", s->names[i]);
        nytp_json_end(j);
    }
    nytp_json_end(j);
    nytp_json_end(j);
}

int nytp_speedscope_build_write(const nytp_build_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    nytp_json j = {.out = &out, .sink = sink, .lines = 3};
    const size_t last = sizeof kinds / sizeof *kinds - 1;
    int code = NYTP_OK;
    nytp_sink_begin(sink, NYTP_LIT("nytprof.speedscope.json"));
    nytp_json_object(&j, NULL);
    nytp_json_text(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
    nytp_json_name(&j, "name", r->builds->path);
    nytp_json_program(&j, "exporter", r->version);
    nytp_json_number(&j, "activeProfileIndex", 0);
    nytp_json_array(&j, "profiles");
    for (size_t i = 0; i <= last && !code; i++) {
        nytp_stacks s = {0};
        code = nytp_lineage_make(&s, r->builds, r->classes, kinds[i].value);
        if (!code) code = nytp_stacks_sort(&s, NYTP_STACKS_HEAVIEST);
        if (!code) put_profile(&j, &s.tree, kinds[i].title, kinds[i].unit);
        if (!code && i == last) nytp_json_end(&j), put_frames(&j, &s);
        nytp_stacks_free(&s);
    }
    if (!code) nytp_json_end(&j), nytp_json_finish(&j);
    return nytp_sink_finish(sink, &out, code);
}
