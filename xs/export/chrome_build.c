/* SPDX-License-Identifier: MIT */
/* chrome_build.c - the processes of a build as a timeline in Chrome's trace event format.
 *
 * A host is a process of the format, a lane (model/lanes) a thread, and a process an event of its real time, in
 * microseconds with three decimals since the first one began. A process that is not in the lane of the one above it has
 * an arrow from there. */
#include "export/chrome_build.h"

#include <stdlib.h>

#include "model/lanes.h"
#include "report/command.h"
#include "report/json.h"
#include "report/page.h"
#include "report/text.h"

typedef struct timeline {
    const nytp_build *b;
    const nytp_class_list *classes;
    const uint32_t *lanes;
    nytp_json json;
    nytp_buf text;
} timeline;

static void begin_event(timeline *t, const char *kind, uint32_t host, uint32_t lane) {
    nytp_json_object(&t->json, NULL);
    nytp_json_text(&t->json, "ph", kind);
    nytp_json_number(&t->json, "pid", host);
    nytp_json_number(&t->json, "tid", lane + UINT64_C(1));
}

static void put_time(timeline *t, const nytp_build_process *p) {
    nytp_json_decimal(&t->json, "ts", p->began - t->b->first, 3);
}

static void put_arguments(timeline *t, const nytp_build_process *p, nytp_str command) {
    nytp_json *j = &t->json;
    nytp_json_object(j, "args");
    nytp_json_number(j, "pid", p->pid);
    nytp_json_name(j, "target", t->b->texts[p->target]);
    nytp_json_name(j, "directory", t->b->texts[p->directory]);
    nytp_json_name(j, "command", command);
    if (!p->has_end) nytp_json_text(j, "end", "not known");
    nytp_json_number(j, p->status < NYTP_STATUS_SIGNAL ? "status" : "signal", p->status & 255u);
    nytp_json_number(j, "user_us", p->user_us);
    nytp_json_number(j, "system_us", p->system_us);
    nytp_json_number(j, "max_rss_kb", p->max_rss_kb);
    nytp_json_end(j);
}

/* "gcc a.o" */
static void put_name(timeline *t, const nytp_build_process *p, nytp_str class) {
    nytp_str target = t->b->texts[p->target];
    nytp_buf_rewind(&t->text);
    nytp_text_str(&t->text, class);
    if (class.n && target.n) nytp_text_put(&t->text, " ");
    nytp_text_str(&t->text, target);
    nytp_json_name(&t->json, "name", nytp_page_bytes(&t->text));
    nytp_json_name(&t->json, "cat", class.n ? class : NYTP_LIT("process"));
}

static void put_process(timeline *t, uint32_t i) {
    const nytp_build_process *p = &t->b->processes[i];
    begin_event(t, "X", p->host, t->lanes[i]);
    put_name(t, p, t->classes->classes[t->classes->of[i]]);
    put_time(t, p);
    nytp_json_decimal(&t->json, "dur", p->ended - p->began, 3);
    nytp_buf_rewind(&t->text);
    nytp_command_text(&t->text, t->b->texts[p->command]);
    put_arguments(t, p, nytp_page_bytes(&t->text));
    nytp_json_end(&t->json);
}

/* One end of an arrow at the begin of a process. */
static void put_flow(timeline *t, const char *kind, uint32_t of, uint32_t at) {
    const nytp_build_process *p = &t->b->processes[of];
    begin_event(t, kind, t->b->processes[at].host, t->lanes[at]);
    nytp_json_text(&t->json, "name", "starts");
    nytp_json_text(&t->json, "cat", "starts");
    nytp_json_number(&t->json, "id", of);
    if (kind[0] == 'f') nytp_json_text(&t->json, "bp", "e");
    put_time(t, p);
    nytp_json_end(&t->json);
}

/* The name of each host and lane, ahead of the first process there. */
static void put_shown(timeline *t, uint32_t host, uint32_t lane, const char *what, nytp_str name) {
    begin_event(t, "M", host, lane);
    nytp_json_text(&t->json, "name", what);
    nytp_json_object(&t->json, "args");
    nytp_json_name(&t->json, "name", name);
    nytp_json_end(&t->json);
    nytp_json_end(&t->json);
}

static void put_names(timeline *t, nytp_map *known) {
    for (uint32_t i = 0; i < t->b->n; i++) {
        const nytp_build_process *p = &t->b->processes[i];
        uint32_t *host = nytp_map_at(known, UINT64_MAX - p->host);
        if (host && !*host) put_shown(t, p->host, 0, "process_name", t->b->texts[p->host]);
        if (host) *host = 1;
        uint32_t *lane = nytp_map_at(known, (uint64_t)p->host << 32 | t->lanes[i]);
        nytp_buf_rewind(&t->text);
        nytp_text_around(&t->text, "lane ", t->lanes[i] + UINT64_C(1), "");
        if (lane && !*lane) put_shown(t, p->host, t->lanes[i], "thread_name", nytp_page_bytes(&t->text));
        if (lane) *lane = 1;
        if (!host || !lane) t->json.out->failed = 1;
    }
}

static void put_all(timeline *t) {
    nytp_json *j = &t->json;
    nytp_map known = {0};
    nytp_json_object(j, NULL);
    nytp_json_array(j, "traceEvents");
    put_names(t, &known);
    nytp_map_free(&known);
    for (uint32_t i = 0; i < t->b->n && !j->out->failed; i++) {
        uint32_t above = t->b->processes[i].parent;
        int is_apart = above != NYTP_BUILD_NONE && t->lanes[above] != t->lanes[i];
        put_process(t, i);
        if (is_apart) put_flow(t, "s", i, above), put_flow(t, "f", i, i);
    }
    nytp_json_end(j);
    nytp_json_text(j, "displayTimeUnit", "ms");
    nytp_json_object(j, "otherData");
    nytp_json_text(j, "exporter", "NYTProf");
    nytp_json_end(j);
    nytp_json_end(j);
    nytp_json_finish(j);
}

int nytp_chrome_build_write(const nytp_build_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    uint32_t lanes_n, *lanes = nytp_lanes_make(r->builds, &lanes_n);
    timeline t = {.b = r->builds, .classes = &r->classes->lists[0], .lanes = lanes,
                  .json = {.out = &out, .sink = sink, .lines = 2}};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.chrome.json"));
    if (lanes) put_all(&t);
    nytp_buf_done(&t.text, &out);
    free(lanes);
    return nytp_sink_finish(sink, &out, lanes ? NYTP_OK : NYTP_NOMEM);
}
