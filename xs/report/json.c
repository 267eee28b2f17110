/* SPDX-License-Identifier: MIT */
/* json.c - a writer of JSON for reports. */
#include "report/json.h"

#include <assert.h>

#include "report/escape.h"
#include "report/names.h"
#include "report/text.h"

static void put_newline(nytp_json *j, uint32_t depth) {
    if (depth && depth <= j->lines) nytp_buf_byte(j->out, '\n');
}

/* All that is ahead of a value: what it is separated by from the one before, and its key. */
static void begin_value(nytp_json *j, const char *key) {
    assert(j->depth ? j->is_object[j->depth] == (key != NULL) : !key && !j->has_values[0]);
    if (j->has_values[j->depth]) nytp_buf_byte(j->out, ',');
    j->has_values[j->depth] = 1;
    if (j->sink) nytp_sink_drain(j->sink, j->out, NYTP_SINK_PIECE);
    put_newline(j, j->depth);
    if (!key) return;
    nytp_buf_byte(j->out, '"');
    nytp_text_put(j->out, key);
    nytp_text_put(j->out, "\":");
}

static void open_value(nytp_json *j, const char *key, int is_object) {
    begin_value(j, key);
    assert(j->depth < NYTP_JSON_DEEPEST);
    j->depth++;
    j->is_object[j->depth] = (uint8_t)is_object;
    j->has_values[j->depth] = 0;
    nytp_buf_byte(j->out, is_object ? '{' : '[');
}

void nytp_json_object(nytp_json *j, const char *key) { open_value(j, key, 1); }

void nytp_json_array(nytp_json *j, const char *key) { open_value(j, key, 0); }

void nytp_json_end(nytp_json *j) {
    assert(j->depth);
    if (j->has_values[j->depth]) put_newline(j, j->depth);
    nytp_buf_byte(j->out, j->is_object[j->depth] ? '}' : ']');
    j->depth--;
}

void nytp_json_finish(nytp_json *j) {
    assert(!j->depth && j->has_values[0]);
    nytp_buf_byte(j->out, '\n');
    if (j->sink) nytp_sink_drain(j->sink, j->out, 0);
}

void nytp_json_string(nytp_json *j, const char *key, nytp_str s) {
    begin_value(j, key);
    nytp_buf_byte(j->out, '"');
    nytp_escape_json(j->out, s);
    nytp_buf_byte(j->out, '"');
}

void nytp_json_text(nytp_json *j, const char *key, const char *text) { nytp_json_string(j, key, nytp_str_c(text)); }

void nytp_json_name(nytp_json *j, const char *key, nytp_str s) {
    nytp_buf shown = {0};
    nytp_escape_text(&shown, s);
    nytp_json_string(j, key, (nytp_str){(const char *)shown.p, shown.n});
    nytp_buf_done(&shown, j->out);
}

void nytp_json_program(nytp_json *j, const char *key, const char *version) {
    nytp_buf text = {0};
    nytp_names_maker(&text, version);
    nytp_json_string(j, key, (nytp_str){(const char *)text.p, text.n});
    nytp_buf_done(&text, j->out);
}

void nytp_json_number(nytp_json *j, const char *key, uint64_t n) {
    begin_value(j, key);
    nytp_text_number(j->out, n);
}

void nytp_json_signed(nytp_json *j, const char *key, int64_t n) {
    begin_value(j, key);
    nytp_text_signed(j->out, n);
}

void nytp_json_bool(nytp_json *j, const char *key, int is_true) {
    begin_value(j, key);
    nytp_text_put(j->out, is_true ? "true" : "false");
}

void nytp_json_null(nytp_json *j, const char *key) {
    begin_value(j, key);
    nytp_text_put(j->out, "null");
}

void nytp_json_decimal(nytp_json *j, const char *key, int64_t n, int places) {
    assert(places >= 0 && places <= 9);
    uint64_t units = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    char decimals[10] = {0};
    for (int i = places; i--; units /= 10) decimals[i] = (char)('0' + units % 10);
    while (places && decimals[places - 1] == '0') decimals[--places] = 0;
    begin_value(j, key);
    if (n < 0) nytp_buf_byte(j->out, '-');
    nytp_text_number(j->out, units);
    if (places) nytp_buf_byte(j->out, '.');
    nytp_text_put(j->out, decimals);
}
