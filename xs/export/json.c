/* SPDX-License-Identifier: MIT */
/* json.c - the whole profile as JSON, for programs of users. It is a stable interface, and described by
 * lib/Devel/NYTProf/nytprof-json-1.schema.json. */
#include <stdlib.h>

#include "export/calltable.h"
#include "export/json_build.h"
#include "export/json_changes.h"
#include "export/json_compared.h"
#include "export/json_findings.h"
#include "model/metrics.h"
#include "model/named.h"
#include "report/registry.h"

#define VERSION 1
#define LINES 2 /* a table, a file and a sub have a line each, and so has each column of a table */

enum { SCHEMA, TEXT, EVALS, BUILD_SCHEMA };

static const nytp_arg args[] = {
    [SCHEMA] = {.name = "schema", .use = NYTP_ARG_FOR_ASSET, .fallback = "nytprof-json-1.schema.json",
                .help = "print the JSON Schema of this output instead"},
    [TEXT] = {.name = "source-text", .help = "with the source of all files"},
    [EVALS] = NYTP_ARGS_EVALS,
    [BUILD_SCHEMA] = {.name = "build-schema", .use = NYTP_ARG_FOR_ASSET,
                      .fallback = "nytprof-build-json-1.schema.json",
                      .help = "print the JSON Schema of the output for the capture of a build instead"},
    NYTP_ARGS_CLASSES,
    {0},
};

/* ---- about the profile ---- */

static void put_inputs(nytp_json *j, const nytp_profile *p) {
    nytp_json_array(j, "inputs");
    for (uint32_t i = 0; i < p->inputs_n; i++) {
        const nytp_input *input = &p->inputs[i];
        nytp_json_object(j, NULL);
        nytp_json_string(j, "name", input->name);
        nytp_json_number(j, "format", input->format);
        nytp_json_string(j, "broken", input->broken);
        nytp_json_string(j, "damage", input->damage);
        nytp_json_number(j, "first_process", input->first_process + 1u);
        nytp_json_number(j, "processes", input->processes);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_process_times(nytp_tables *t, const nytp_process *process) {
    nytp_json *j = &t->json;
    nytp_json_number(j, "start_us", process->start / 1000);
    nytp_json_number(j, "end_us", process->end / 1000);
    nytp_tables_amount(t, "elapsed", process->elapsed);
    nytp_tables_amount(t, "outside", process->outside);
    nytp_tables_amount(t, "subtracted", process->subtracted);
    nytp_tables_amount(t, "writing", process->flush);
    nytp_tables_amount(t, "off", process->off);
    nytp_tables_amount(t, "waited", process->waited);
    nytp_tables_amount(t, "cold", process->cold);
    nytp_json_number(j, "user_us", process->user_us);
    nytp_json_number(j, "system_us", process->system_us);
    nytp_json_number(j, "thread_us", process->thread_us);
    nytp_json_number(j, "max_rss_kb", process->max_rss_kb);
}

static void put_process(nytp_tables *t, const nytp_process *process) {
    static const char *const endings[] = {"missing", "finished", "exec", "exit", "running"};
    nytp_json *j = &t->json;
    nytp_json_object(j, NULL);
    nytp_json_number(j, "pid", process->id.pid);
    nytp_json_number(j, "thread", process->id.thread);
    if (process->threads) nytp_json_number(j, "threads", process->threads);
    if (process->start_sub.n) nytp_json_string(j, "start_sub", process->start_sub);
    nytp_json_number(j, "parent_pid", process->parent_pid);
    nytp_json_string(j, "program", process->program);
    nytp_json_string(j, "interpreter", process->interpreter);
    nytp_json_string(j, "clock", process->clock);
    nytp_json_number(j, "ticks_per_second", process->ticks_per_second);
    nytp_json_number(j, "resolution_ticks", process->resolution);
    put_process_times(t, process);
    nytp_json_number(j, "chunks", process->chunks);
    nytp_json_number(j, "chunks_missing", process->missing);
    nytp_json_text(j, "ending", endings[process->ending]);
    nytp_tables_values(t, "values", process->values);
    nytp_json_end(j);
}

static void put_pairs(nytp_json *j, const nytp_profile *p, const char *key, uint32_t kind) {
    nytp_json_array(j, key);
    for (uint32_t i = 0; i < p->pairs_n; i++) {
        if (p->pairs[i].kind != kind) continue;
        nytp_json_object(j, NULL);
        nytp_json_number(j, "process", p->pairs[i].process + 1u);
        nytp_json_string(j, "key", p->pairs[i].key);
        nytp_json_string(j, "value", p->pairs[i].value);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_metrics(nytp_json *j, const nytp_profile *p) {
    nytp_json_array(j, "metrics");
    for (uint32_t i = 0; i < p->metrics_n; i++) {
        nytp_json_object(j, NULL);
        nytp_json_string(j, "name", p->metrics[i].name);
        nytp_json_string(j, "unit", p->metrics[i].unit);
        nytp_json_string(j, "title", p->metrics[i].title);
        nytp_json_text(j, "adds", p->metrics[i].adds == NYTP_ADDS_MAX ? "max" : "sum");
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_notes(nytp_json *j, const nytp_profile *p) {
    nytp_json_array(j, "notes");
    for (uint32_t i = 0; i < p->notes_n; i++) nytp_json_string(j, NULL, p->notes[i]);
    nytp_json_end(j);
}

static void put_totals(nytp_tables *t) {
    const nytp_totals *totals = &t->p->totals;
    nytp_json *j = &t->json;
    nytp_json_object(j, "totals");
    nytp_tables_amount(t, "time", totals->ticks);
    nytp_tables_amount(t, "whole", totals->whole);
    nytp_tables_amount(t, "statements", totals->statements);
    nytp_tables_amount(t, "calls", totals->calls);
    nytp_tables_amount(t, "resumed", totals->resumed);
    nytp_tables_amount(t, "elapsed", totals->elapsed);
    nytp_tables_amount(t, "subtracted", totals->subtracted);
    nytp_tables_amount(t, "writing", totals->flush);
    nytp_tables_amount(t, "off", totals->off);
    nytp_tables_amount(t, "cold", totals->cold);
    nytp_json_number(j, "files", totals->files);
    nytp_json_number(j, "subs", totals->subs);
    nytp_json_number(j, "evals", totals->evals);
    nytp_tables_values(t, "values", totals->values);
    nytp_json_end(j);
}

static void put_meta(nytp_tables *t) {
    nytp_json *j = &t->json;
    const nytp_profile *p = t->p;
    nytp_json_object(j, "meta");
    nytp_json_string(j, "estimate", p->estimate);
    nytp_json_number(j, "samples", (uint64_t)p->samples);
    put_notes(j, p);
    put_inputs(j, p);
    nytp_json_array(j, "processes");
    for (uint32_t i = 0; i < p->processes_n; i++) put_process(t, &p->processes[i]);
    nytp_json_end(j);
    put_pairs(j, p, "options", NYTP_REC_OPTION);
    put_pairs(j, p, "attributes", NYTP_REC_ATTRIBUTE);
    put_pairs(j, p, "properties", NYTP_REC_PROPERTY);
    put_metrics(j, p);
    put_totals(t);
    nytp_json_end(j);
}

/* ---- what the program has given names to ---- */

static int put_named(nytp_tables *t, const char *key, enum nytp_label_of of) {
    uint32_t n;
    const nytp_labelled **all = nytp_named_order(t->p, of, &n);
    if (!all) return NYTP_NOMEM;
    if (n) nytp_json_array(&t->json, key);
    for (uint32_t i = 0; i < n; i++) {
        nytp_json_object(&t->json, NULL);
        nytp_json_string(&t->json, "name", all[i]->name);
        nytp_tables_amount(t, "count", all[i]->all.count);
        if (of == NYTP_LABEL_SPAN) nytp_tables_lengths(t, &all[i]->all);
        else nytp_json_signed(&t->json, "sum", all[i]->all.sum);
        nytp_json_end(&t->json);
    }
    if (n) nytp_json_end(&t->json);
    free(all);
    return NYTP_OK;
}

static void put_marks(nytp_json *j, const nytp_profile *p) {
    if (!p->marks_n) return;
    nytp_json_array(j, "marks");
    for (uint32_t i = 0; i < p->marks_n; i++) {
        nytp_json_object(j, NULL);
        nytp_json_string(j, "name", p->marks[i].name);
        nytp_json_number(j, "at_us", p->marks[i].at / 1000);
        nytp_json_number(j, "process", p->marks[i].process + 1u);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

/* ---- the report ---- */

static int put_profile(nytp_tables *t, const char *version) {
    nytp_json *j = &t->json;
    nytp_json_object(j, NULL);
    nytp_json_text(j, "format", "nytprof-json");
    nytp_json_number(j, "version", VERSION);
    nytp_json_program(j, "generator", version);
    put_meta(t);
    if (nytp_json_findings_put(t)) return NYTP_NOMEM;
    nytp_tables_files(t);
    nytp_tables_subs(t);
    nytp_tables_lines(t, "lines", NYTP_LEVEL_LINE);
    nytp_tables_lines(t, "blocks", NYTP_LEVEL_BLOCK);
    nytp_tables_lines(t, "bodies", NYTP_LEVEL_SUB);
    nytp_tables_carried(t);
    nytp_tables_calls(t);
    if (nytp_calltable_put(t)) return NYTP_NOMEM;
    if (put_named(t, "spans", NYTP_LABEL_SPAN) || put_named(t, "counts", NYTP_LABEL_COUNT)) return NYTP_NOMEM;
    put_marks(j, t->p);
    nytp_json_end(j);
    nytp_json_finish(j);
    return NYTP_OK;
}

static int write_json(const nytp_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    nytp_tables t = {.p = r->profiles, .json = {.out = &out, .sink = sink, .lines = LINES},
                     .has_text = r->values[TEXT].given != 0};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.json"));
    int code = nytp_tables_number(&t);
    if (!code) code = put_profile(&t, r->version);
    nytp_tables_free(&t);
    return nytp_sink_finish(sink, &out, code);
}

const nytp_report nytp_json_report = {
    .name = "json",
    .task = NYTP_TASK_EXPORT,
    .summary = "prints the whole profile as JSON, for programs of your own",
    .output = "-",
    .is_page = 1,
    .has_notes = 1,
    .is_apart = 1,
    .tells_outside = 1,
    .is_whole = 1,
    .args = args,
    .write = write_json,
    .write_build = nytp_json_build_write,
    .write_changes = nytp_json_changes_write,
    .write_compared = nytp_json_compared_write,
};
