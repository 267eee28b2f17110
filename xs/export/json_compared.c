/* SPDX-License-Identifier: MIT */
/* json_compared.c - what differs between profiles of two sides as JSON, for programs of users. It is a stable
 * interface, and described by lib/Devel/NYTProf/nytprof-diff-json-1.schema.json. */
#include "export/json_compared.h"

#include <stdlib.h>

#include "report/json.h"
#include "report/noise.h"

#define VERSION 1
#define LINES 3 /* each row and each profile has a line */

static const char *const sides[] = {[NYTP_COMPARED_OLD] = "old", [NYTP_COMPARED_NEW] = "new"};

static uint32_t first_of(const nytp_compared *c, int side) {
    return side == NYTP_COMPARED_OLD ? 0 : c->n[NYTP_COMPARED_OLD];
}

static void put_profiles(nytp_json *j, const nytp_compared_request *r, int side) {
    uint32_t first = first_of(r->compared, side);
    nytp_json_array(j, sides[side]);
    for (uint32_t i = first; i < first + r->compared->n[side]; i++) {
        const int64_t *figures = r->compared->figures[i];
        nytp_json_object(j, NULL);
        nytp_json_string(j, "name", nytp_str_c(r->names[i]));
        nytp_json_signed(j, "statements", figures[NYTP_COMPARED_STATEMENTS]);
        nytp_json_signed(j, "calls", figures[NYTP_COMPARED_ALL_CALLS]);
        nytp_json_signed(j, "profiled_ns", figures[NYTP_COMPARED_PROFILED]);
        nytp_json_signed(j, "elapsed_ns", figures[NYTP_COMPARED_ELAPSED]);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

/* Of subs and of lines. */
static void put_side(nytp_json *j, const nytp_compared *c, int side, const int64_t *values) {
    static const char *const titles[][NYTP_COMPARED_VALUES] = {
        {[NYTP_COMPARED_CALLS] = "calls", [NYTP_COMPARED_OWN] = "exclusive_ns", [NYTP_COMPARED_WHOLE] = "inclusive_ns"},
        {[NYTP_COMPARED_CALLS] = "count", [NYTP_COMPARED_OWN] = "time_ns"},
    };
    uint32_t first = first_of(c, side);
    if (!values) {
        nytp_json_null(j, sides[side]);
        return;
    }
    nytp_json_object(j, sides[side]);
    for (int v = 0; v < NYTP_COMPARED_VALUES && titles[c->of_lines][v]; v++) {
        nytp_json_array(j, titles[c->of_lines][v]);
        for (uint32_t i = first; i < first + c->n[side]; i++)
            nytp_json_signed(j, NULL, values[(size_t)i * NYTP_COMPARED_VALUES + (size_t)v]);
        nytp_json_end(j);
    }
    nytp_json_end(j);
}

/* Of the line on a side; null where it is not there. */
static void put_number(nytp_json *j, const char *name, uint32_t number) {
    if (number) nytp_json_number(j, name, number);
    else nytp_json_null(j, name);
}

static void put_row(nytp_json *j, const nytp_compared *c, const nytp_compared_row *row) {
    nytp_json_object(j, NULL);
    nytp_json_string(j, c->of_lines ? "file" : "name", row->name);
    if (c->of_lines) {
        put_number(j, "old_line", row->lines[NYTP_COMPARED_OLD]);
        put_number(j, "new_line", row->lines[NYTP_COMPARED_NEW]);
        nytp_json_string(j, "source", row->source);
    }
    nytp_json_bool(j, c->of_lines ? "count_changed" : "calls_changed", row->has_calls);
    nytp_json_bool(j, "time_changed", row->has_time);
    put_side(j, c, NYTP_COMPARED_OLD, row->old);
    put_side(j, c, NYTP_COMPARED_NEW, row->new);
    nytp_json_end(j);
}

static void put_head(nytp_json *j, const nytp_compared_request *r) {
    nytp_json_text(j, "format", "nytprof-diff-json");
    nytp_json_number(j, "version", VERSION);
    nytp_json_program(j, "generator", r->version);
    nytp_json_bool(j, "counted", !r->compared->is_uncounted);
    nytp_json_bool(j, "noise_known", nytp_noise_is_known(r->compared->n));
    for (int side = 0; side < 2; side++) put_profiles(j, r, side);
    nytp_json_number(j, "all", r->compared->rows_n);
    nytp_json_number(j, "all_lines", r->lines->rows_n);
}

/* 0 if memory is short. */
static int put_rows(nytp_json *j, const char *name, const nytp_compared *c, const nytp_compared_request *r) {
    const nytp_compared_row **rows = nytp_compared_sorted(c, NYTP_COMPARED_OWN);
    nytp_json_array(j, name);
    for (uint32_t i = 0; rows && i < c->rows_n && (!r->most || i < r->most) && !j->out->failed; i++)
        put_row(j, c, rows[i]);
    nytp_json_end(j);
    free(rows);
    return rows != NULL;
}

int nytp_json_compared_write(const nytp_compared_request *r, nytp_sink *sink) {
    nytp_buf out = {0};
    nytp_json j = {.out = &out, .sink = sink, .lines = LINES};
    nytp_sink_begin(sink, NYTP_LIT("nytprof.json"));
    nytp_json_object(&j, NULL);
    put_head(&j, r);
    int is_fine = put_rows(&j, "rows", r->compared, r) && put_rows(&j, "lines", r->lines, r);
    nytp_json_end(&j);
    nytp_json_finish(&j);
    return nytp_sink_finish(sink, &out, is_fine ? NYTP_OK : NYTP_NOMEM);
}
