/* SPDX-License-Identifier: MIT */
/* texts.c - for clang's libFuzzer: texts that are no files of profiles. The first byte says which: options of the
 * recorder, as in the variable NYTPROF; an expression of --filter; any bytes that are escaped for a page, JSON or a
 * terminal, and have no meaning there any more. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "input.h"
#include "json.h"
#include "record/options.h"
#include "record/settings.h"
#include "report/escape.h"
#include "report/json.h"
#include "report/pattern.h"

/* Each option's value is a number or a text that is there. */
static void look_at(const nytp_options *o) {
    int64_t sum = 0;
    for (const nytp_option_row *row = nytp_options_rows(); row->name; row++) sum ^= nytp_options_number(o, row);
    if (!o->file || !o->log || !o->clock || !o->sigexit || (sum && strlen(o->file) == SIZE_MAX)) abort();
}

static void set_options(const char *text) {
    nytp_options o = {0};
    nytp_error e = {0};
    if (nytp_options_init(&o)) abort();
    if (nytp_settings_text(&o, text, &e) && !e.text[0]) abort(); /* what is refused has a message */
    look_at(&o);
    nytp_options_free(&o);
}

/* A wrong expression is compiled once for each of its characters: of long ones each eighth is tried. */
static void check_pattern(const char *text) {
    nytp_error e = {0};
    size_t n = strlen(text);
    if (n > 80 && n % 8) return;
    if (nytp_pattern_check("--filter", text, &e) && !e.text[0]) abort();
}

/* Every byte is a part of a character that is visible, or among those allowed. */
static void check_visible(const nytp_buf *b, const char *allowed) {
    uint32_t code = 0;
    for (size_t at = 0, n; at < b->n; at += n) {
        n = nytp_utf8_decode((const char *)b->p + at, b->n - at, &code);
        if (!n) abort();
        if (nytp_utf8_is_hidden(code) && (code > 127 || !code || !strchr(allowed, (int)code))) abort();
    }
}

static void check_markup(const nytp_buf *b, const char *forbidden) {
    for (size_t i = 0; i < b->n; i++)
        if (b->p[i] && strchr(forbidden, b->p[i])) abort();
}

static void check_json(const nytp_buf *inside) {
    nytp_buf all = {0};
    nytp_buf_byte(&all, '"');
    nytp_buf_bytes(&all, inside->p, inside->n);
    nytp_buf_byte(&all, '"');
    if (json_wrong((const char *)all.p, all.n) != all.n) abort();
    nytp_buf_free(&all);
}

static void check_escapes(nytp_str s) {
    nytp_buf b = {0};
    nytp_escape_html(&b, s), check_visible(&b, ""), check_markup(&b, "<>\"'"), nytp_buf_clear(&b);
    nytp_escape_source(&b, s), check_visible(&b, "\t"), check_markup(&b, "<"), nytp_buf_clear(&b);
    nytp_escape_text(&b, s), check_visible(&b, ""), nytp_buf_clear(&b);
    nytp_escape_url(&b, s), check_visible(&b, ""), check_markup(&b, "<>\"' ?#"), nytp_buf_clear(&b);
    nytp_escape_dot(&b, s), check_visible(&b, ""), nytp_buf_clear(&b);
    nytp_escape_terminal(&b, s, 0), check_visible(&b, "\n\t\f"), nytp_buf_clear(&b);
    nytp_escape_json(&b, s), check_json(&b), nytp_buf_clear(&b);
    nytp_buf_free(&b);
}

/* The JSON writer: keys are literals, values any bytes. */
static void check_writer(nytp_str s) {
    nytp_buf out = {0};
    nytp_json j = {.out = &out, .lines = (uint32_t)s.n % 3};
    nytp_json_object(&j, NULL);
    nytp_json_string(&j, "string", s);
    nytp_json_name(&j, "name", s);
    nytp_json_array(&j, "numbers");
    for (size_t i = 0; i < s.n && i < 20; i++) nytp_json_decimal(&j, NULL, s.p[i] * (INT64_C(1) << i), (int)(i % 10));
    nytp_json_end(&j);
    nytp_json_end(&j);
    nytp_json_finish(&j);
    if (json_wrong((const char *)out.p, out.n) != out.n) abort();
    nytp_buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size) return 0;
    char *text = strndup((const char *)data + 1, size - 1);
    nytp_str bytes = {(const char *)data + 1, size - 1};
    if (!text) abort();
    switch (data[0] % 4) {
    case 0: set_options(text); break;
    case 1: check_pattern(text); break;
    case 2: check_escapes(bytes); break;
    default: check_writer(bytes);
    }
    free(text);
    return 0;
}
