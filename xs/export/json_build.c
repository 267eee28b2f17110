/* SPDX-License-Identifier: MIT */
/* json_build.c - the processes of a build as JSON, for programs of users. It is a stable interface, and described by
 * lib/Devel/NYTProf/nytprof-build-json-1.schema.json. */
#include "export/json_build.h"

#include <stdlib.h>
#include <string.h>

#include "model/alone.h"

#define VERSION 1
#define LINES 2 /* each process has a line */

typedef struct job {
    const nytp_build *b;
    const nytp_classes *classes;
    const int64_t *alone;
    nytp_json json;
} job;

void nytp_json_build_begin(nytp_json *j, const char *key, const nytp_build *b) {
    nytp_json_object(j, key);
    nytp_json_string(j, "name", b->path);
    nytp_json_signed(j, "start_us", b->first / 1000);
    nytp_json_signed(j, "elapsed_ns", b->last - b->first);
    nytp_json_number(j, "own_user_us", b->own_user_us);
    nytp_json_number(j, "own_system_us", b->own_system_us);
    nytp_json_number(j, "failed", b->failed);
    nytp_json_number(j, "killed", b->killed);
    nytp_json_number(j, "without_end", b->left);
}

static void put_meta(job *of) {
    nytp_json *j = &of->json;
    const nytp_build *b = of->b;
    nytp_json_build_begin(j, "meta", b);
    nytp_json_array(j, "notes");
    for (uint32_t i = 0; i < b->notes_n; i++) nytp_json_string(j, NULL, b->notes[i]);
    nytp_json_end(j);
    nytp_json_end(j);
}

static void put_schemata(job *of) {
    nytp_json *j = &of->json;
    nytp_json_array(j, "schemata");
    for (uint32_t i = 0; i < of->classes->n; i++) {
        const nytp_class_list *list = &of->classes->lists[i];
        nytp_json_object(j, NULL);
        nytp_json_string(j, "name", list->name);
        nytp_json_array(j, "classes");
        for (uint32_t k = 0; k < list->n; k++) nytp_json_string(j, NULL, list->classes[k]);
        nytp_json_end(j);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

static void put_command(job *of, const nytp_build_process *p) {
    nytp_json *j = &of->json;
    nytp_str rest = of->b->texts[p->command];
    nytp_json_array(j, "command");
    while (rest.n) {
        const char *end = memchr(rest.p, 0, rest.n);
        size_t n = end ? (size_t)(end - rest.p) : rest.n, taken = end ? n + 1 : n;
        nytp_json_string(j, NULL, (nytp_str){rest.p, n});
        rest = (nytp_str){rest.p + taken, rest.n - taken};
    }
    nytp_json_end(j);
    nytp_json_number(j, "words", p->words);
    nytp_json_number(j, "cut", p->cut);
}

static void put_used(job *of, const nytp_build_process *p) {
    nytp_json *j = &of->json;
    nytp_json_bool(j, "has_end", p->has_end);
    nytp_json_number(j, "status", p->status < NYTP_STATUS_SIGNAL ? p->status : 0);
    nytp_json_number(j, "signal", p->status < NYTP_STATUS_SIGNAL ? 0 : p->status & 255u);
    nytp_json_number(j, "user_us", p->user_us);
    nytp_json_number(j, "system_us", p->system_us);
    nytp_json_number(j, "own_user_us", p->own_user_us);
    nytp_json_number(j, "own_system_us", p->own_system_us);
    nytp_json_number(j, "max_rss_kb", p->max_rss_kb);
    nytp_json_number(j, "minor_faults", p->minor_faults);
    nytp_json_number(j, "major_faults", p->major_faults);
    nytp_json_number(j, "blocks_in", p->blocks_in);
    nytp_json_number(j, "blocks_out", p->blocks_out);
    nytp_json_number(j, "switches", p->switches);
    nytp_json_number(j, "forced_switches", p->forced_switches);
}

static void put_process(job *of, uint32_t i) {
    nytp_json *j = &of->json;
    const nytp_build_process *p = &of->b->processes[i];
    nytp_json_object(j, NULL);
    nytp_json_number(j, "pid", p->pid);
    nytp_json_number(j, "serial", p->serial);
    nytp_json_string(j, "host", of->b->texts[p->host]);
    if (p->parent == NYTP_BUILD_NONE) nytp_json_null(j, "parent");
    else nytp_json_number(j, "parent", p->parent);
    nytp_json_number(j, "depth", p->depth);
    nytp_json_number(j, "level", p->level);
    nytp_json_string(j, "directory", of->b->texts[p->directory]);
    nytp_json_string(j, "target", of->b->texts[p->target]);
    put_command(of, p);
    nytp_json_array(j, "classes");
    for (uint32_t k = 0; k < of->classes->n; k++) nytp_json_number(j, NULL, of->classes->lists[k].of[i]);
    nytp_json_end(j);
    nytp_json_signed(j, "began_ns", p->began - of->b->first);
    nytp_json_signed(j, "real_ns", p->ended - p->began);
    nytp_json_signed(j, "own_real_ns", of->alone[i]);
    put_used(of, p);
    nytp_json_end(j);
}

static void put_all(job *of, const char *version) {
    nytp_json *j = &of->json;
    nytp_json_object(j, NULL);
    nytp_json_text(j, "format", "nytprof-build-json");
    nytp_json_number(j, "version", VERSION);
    nytp_json_program(j, "generator", version);
    put_meta(of);
    put_schemata(of);
    nytp_json_array(j, "processes");
    for (uint32_t i = 0; i < of->b->n && !j->out->failed; i++) put_process(of, i);
    nytp_json_end(j);
    nytp_json_end(j);
    nytp_json_finish(j);
}

int nytp_json_build_write(const nytp_build_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    int64_t *alone = nytp_alone_times(r->builds);
    job of = {.b = r->builds, .classes = r->classes, .alone = alone,
              .json = {.out = &out, .sink = sink, .lines = LINES}};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.json"));
    if (alone) put_all(&of, r->version);
    int code = alone ? NYTP_OK : NYTP_NOMEM;
    free(alone);
    return nytp_sink_finish(sink, &out, code);
}
