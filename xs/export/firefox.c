/* SPDX-License-Identifier: MIT */
/* firefox.c - the profile as Firefox's profiler shows it, https://profiler.firefox.com: version 70 of its processed
 * format, with the source in it, so that no server is asked.
 *
 * Each process is a thread, with a sample a path, the most time first. The time of a sample is that at which it would
 * have been if the process had done everything in this order. Of a sampled program it is known how much of that was CPU
 * time, which the viewer draws. */
#include <inttypes.h>
#include <stdio.h>

#include "base/ticks.h"
#include "export/gecko.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/text.h"

#define VERSION 70 /* of the format */

static const char *const categories[NYTP_GECKO_CATEGORIES][2] = {
    [NYTP_GECKO_OTHER] = {"Other", "grey"}, [NYTP_GECKO_PERL] = {"Perl", "yellow"},
    [NYTP_GECKO_LUA] = {"Lua", "blue"}, [NYTP_GECKO_RUBY] = {"Ruby", "red"},
    [NYTP_GECKO_C] = {"C or XSUB", "green"}, [NYTP_GECKO_OPCODE] = {"Opcode", "orange"},
    [NYTP_GECKO_COMPILE] = {"Compile", "purple"}};

/* ---- threads ---- */

static void put_ms(nytp_gecko *g, const char *key, int64_t ns) { nytp_json_decimal(&g->json, key, ns, 6); }

/* The row behind the samples of a thread with CPU time is its end, without a stack. */
static const nytp_gecko_stack *sample_at(const nytp_gecko *g, uint32_t i) {
    static const nytp_gecko_stack none;
    return i < g->samples_n ? &g->stack[g->sample[i]] : &none;
}

static void sample_stack(nytp_gecko *g, uint32_t i) {
    if (i < g->samples_n) nytp_json_number(&g->json, NULL, g->sample[i]);
    else nytp_json_null(&g->json, NULL);
}

static void sample_time(nytp_gecko *g, uint32_t i) {
    put_ms(g, NULL, g->at);
    g->at = nytp_ticks_add(g->at, sample_at(g, i)->self);
}

static void sample_weight(nytp_gecko *g, uint32_t i) { put_ms(g, NULL, sample_at(g, i)->self); }

/* Since the sample before, which lasts until this one. */
static void sample_cpu(nytp_gecko *g, uint32_t i) {
    nytp_json_number(&g->json, NULL, i ? (uint64_t)sample_at(g, i - 1)->cpu : 0);
}

static const nytp_gecko_column sample_columns[] = {
    {"stack", sample_stack}, {"time", sample_time}, {"weight", sample_weight}, {0}};
static const nytp_gecko_column cpu_columns[] = {
    {"stack", sample_stack}, {"time", sample_time}, {"weight", sample_weight}, {"threadCPUDelta", sample_cpu}, {0}};
static const nytp_gecko_column marker_columns[] = {
    {"data", NULL}, {"name", NULL}, {"startTime", NULL}, {"endTime", NULL}, {"phase", NULL}, {"category", NULL}, {0}};

/* The stacks of a thread with own time. */
static void find_samples(nytp_gecko *g, uint32_t thread) {
    g->samples_n = 0;
    for (uint32_t i = thread ? g->ends[thread - 1] : 0; i < g->ends[thread]; i++)
        if (g->stack[i].self > 0) g->sample[g->samples_n++] = i;
}

static void put_samples(nytp_gecko *g) {
    if (g->has_cpu) nytp_gecko_columns(g, "samples", cpu_columns, g->samples_n + (g->samples_n > 0));
    else nytp_gecko_columns(g, "samples", sample_columns, g->samples_n);
    nytp_json_text(&g->json, "weightType", "tracing-ms");
    nytp_json_end(&g->json);
}

static void put_thread(nytp_gecko *g, const nytp_process *process) {
    nytp_json *j = &g->json;
    char pid[16];
    snprintf(pid, sizeof pid, "%" PRIu32, process->id.pid);
    g->at = (int64_t)nytp_profile_began(process, g->start);
    nytp_json_object(j, NULL);
    nytp_json_text(j, "processType", "default");
    put_ms(g, "processStartupTime", g->at);
    nytp_json_null(j, "processShutdownTime");
    put_ms(g, "registerTime", g->at);
    nytp_json_null(j, "unregisterTime");
    nytp_json_array(j, "pausedRanges");
    nytp_json_end(j);
    nytp_json_name(j, "name", process->start_sub.n ? process->start_sub : process->program);
    nytp_json_bool(j, "isMainThread", !process->id.thread);
    nytp_json_text(j, "pid", pid);
    nytp_json_number(j, "tid", process->id.thread ? process->id.thread : process->id.pid);
    nytp_json_name(j, "processName", process->program);
    put_samples(g);
    nytp_gecko_table(g, "markers", marker_columns, 0);
    nytp_json_end(j);
}

static void put_threads(nytp_gecko *g) {
    const nytp_calltree *t = &g->spots.tree;
    static const nytp_process lost;
    uint32_t thread = 0;
    nytp_json_array(&g->json, "threads");
    for (uint32_t i = t->n ? t->at[0].child : 0; i; i = t->at[i].next) {
        find_samples(g, thread++);
        put_thread(g, t->at[i].callee < g->p->processes_n ? &g->p->processes[t->at[i].callee] : &lost);
    }
    nytp_json_end(&g->json);
}

/* ---- the rest ---- */

static void put_categories(nytp_json *j) {
    nytp_json_array(j, "categories");
    for (int i = 0; i < NYTP_GECKO_CATEGORIES; i++) {
        nytp_json_object(j, NULL);
        nytp_json_text(j, "name", categories[i][0]);
        nytp_json_text(j, "color", categories[i][1]);
        nytp_json_array(j, "subcategories");
        nytp_json_text(j, NULL, "Other");
        nytp_json_end(j);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_empty(nytp_json *j, const char *key) {
    nytp_json_array(j, key);
    nytp_json_end(j);
}

static void put_units(nytp_json *j) {
    nytp_json_object(j, "sampleUnits");
    nytp_json_text(j, "time", "ms");
    nytp_json_text(j, "eventDelay", "ms");
    nytp_json_text(j, "threadCPUDelta", "ns");
    nytp_json_end(j);
}

static void put_meta(nytp_gecko *g, const char *version) {
    nytp_json *j = &g->json;
    static const char *const yes[] = {"symbolicated", "usesOnlyOneStackType", "doesNotUseFrameImplementation",
                                      "sourceCodeIsNotOnSearchfox"};
    nytp_json_object(j, "meta");
    nytp_json_number(j, "interval", 1);
    put_ms(g, "startTime", (int64_t)g->start);
    nytp_json_number(j, "processType", 0);
    nytp_json_name(j, "product", g->p->processes_n ? g->p->processes[0].program : NYTP_LIT("?"));
    nytp_json_number(j, "version", 28);
    nytp_json_number(j, "preprocessedProfileVersion", VERSION);
    nytp_json_number(j, "stackwalk", 0);
    nytp_json_bool(j, "debug", 0);
    put_categories(j);
    put_empty(j, "markerSchema");
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) nytp_json_bool(j, yes[i], 1);
    nytp_json_text(j, "platform", "");
    nytp_json_text(j, "oscpu", "");
    nytp_json_program(j, "importedFrom", version);
    put_units(j);
    nytp_json_end(j);
}

static int put_all(nytp_gecko *g, const nytp_request *r) {
    nytp_json *j = &g->json;
    int code = nytp_gecko_prepare(g, r->selection);
    if (code) return code;
    g->start = nytp_profile_first_start(g->p);
    nytp_json_object(j, NULL);
    put_meta(g, r->version);
    put_empty(j, "libs");
    put_empty(j, "pages");
    put_empty(j, "counters");
    nytp_gecko_shared(g);
    put_threads(g);
    nytp_json_end(j);
    nytp_json_finish(j);
    return NYTP_OK;
}

enum { NO_SOURCE };

static const nytp_arg args[] = {
    [NO_SOURCE] = {.name = "no-source", .help = "without the text of source files"},
    NYTP_ARGS_PATHS,
    {0},
};

static int write_firefox(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    nytp_gecko g = {.p = r->profiles, .json = {.out = &out, .sink = sink, .lines = 3},
                    .has_source = !r->values[NO_SOURCE].given};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.firefox.json"));
    int code = put_all(&g, r);
    nytp_gecko_free(&g);
    return nytp_sink_finish(sink, &out, code);
}

const nytp_report nytp_firefox_report = {
    .name = "firefox",
    .summary = "writes call paths and source for Firefox's profiler",
    .output = "nytprof.firefox.json",
    .is_page = 1,
    .is_apart = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_firefox,
};
