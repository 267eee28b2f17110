/* SPDX-License-Identifier: MIT */
/* json_changes.c - what differs between two builds as JSON, for programs of users. It is a stable interface, and
 * described by lib/Devel/NYTProf/nytprof-build-diff-json-1.schema.json. */
#include "export/json_changes.h"

#include "export/json_build.h"

#define VERSION 1
#define LINES 4 /* each row has a line */

static const char *const sides[] = {[NYTP_CHANGES_OLD] = "old", [NYTP_CHANGES_NEW] = "new"};

static void put_build(nytp_json *j, int side, const nytp_build *b) {
    nytp_json_build_begin(j, sides[side], b);
    nytp_json_number(j, "processes", b->n);
    nytp_json_end(j);
}

static void put_side(nytp_json *j, int side, const int64_t values[NYTP_CHANGES_VALUES]) {
    if (!values[NYTP_CHANGES_COUNT]) {
        nytp_json_null(j, sides[side]);
        return;
    }
    nytp_json_object(j, sides[side]);
    nytp_json_signed(j, "processes", values[NYTP_CHANGES_COUNT]);
    nytp_json_signed(j, "own_real_ns", values[NYTP_CHANGES_REAL]);
    nytp_json_signed(j, "own_user_us", values[NYTP_CHANGES_USER]);
    nytp_json_signed(j, "own_system_us", values[NYTP_CHANGES_SYSTEM]);
    nytp_json_signed(j, "own_blocks", values[NYTP_CHANGES_BLOCKS]);
    nytp_json_end(j);
}

static void put_table(nytp_json *j, const nytp_changes_table *t, uint32_t most) {
    static const char *const by[] = {[NYTP_CHANGES_CLASS] = "class", [NYTP_CHANGES_TARGET] = "target",
                                     [NYTP_CHANGES_DIRECTORY] = "directory"};
    nytp_json_object(j, NULL);
    nytp_json_text(j, "by", by[t->of]);
    nytp_json_string(j, "title", t->title);
    nytp_json_number(j, "all", t->changes.n);
    nytp_json_array(j, "rows");
    for (uint32_t i = 0; i < t->changes.n && (!most || i < most); i++) {
        const nytp_change *row = &t->changes.rows[i];
        nytp_json_object(j, NULL);
        nytp_json_string(j, "name", row->name);
        for (int side = 0; side < 2; side++) put_side(j, side, row->values[side]);
        nytp_json_end(j);
    }
    nytp_json_end(j);
    nytp_json_end(j);
}

int nytp_json_changes_write(const nytp_changes_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    nytp_json j = {.out = &out, .sink = sink, .lines = LINES};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.json"));
    nytp_json_object(&j, NULL);
    nytp_json_text(&j, "format", "nytprof-build-diff-json");
    nytp_json_number(&j, "version", VERSION);
    nytp_json_program(&j, "generator", r->version);
    for (int side = 0; side < 2; side++) put_build(&j, side, &r->builds[side]);
    nytp_json_array(&j, "tables");
    for (uint32_t i = 0; i < r->tables_n && !out.failed; i++) put_table(&j, &r->tables[i], r->most);
    nytp_json_end(&j);
    nytp_json_end(&j);
    nytp_json_finish(&j);
    return nytp_sink_finish(sink, &out, NYTP_OK);
}
