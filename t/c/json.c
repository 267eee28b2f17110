/* SPDX-License-Identifier: MIT */
/* json.c - the writer of JSON: nesting, commas, numbers, and strings of any bytes. */
#include <locale.h>
#include <string.h>

#include "report/json.h"
#include "tap.h"

static nytp_buf out;

static void said(const char *expected, const char *name) {
    int fine = out.n == strlen(expected) && memcmp(out.p, expected, out.n) == 0;
    if (!ok(fine, "%s", name)) printf("#   got '%.*s', expected '%s'\n", (int)out.n, (const char *)out.p, expected);
    nytp_buf_clear(&out);
}

static void test_nesting(void) {
    nytp_json j = {.out = &out};
    nytp_json_object(&j, NULL);
    nytp_json_array(&j, "empty");
    nytp_json_end(&j);
    nytp_json_array(&j, "some");
    nytp_json_object(&j, NULL);
    nytp_json_end(&j);
    nytp_json_null(&j, NULL);
    nytp_json_bool(&j, NULL, 7);
    nytp_json_bool(&j, NULL, 0);
    nytp_json_end(&j);
    nytp_json_text(&j, "last", "value");
    nytp_json_end(&j);
    nytp_json_finish(&j);
    said("{\"empty\":[],\"some\":[{},null,true,false],\"last\":\"value\"}\n", "objects and arrays nest");
}

static void test_lines(void) {
    nytp_json j = {.out = &out, .lines = 2};
    nytp_json_object(&j, NULL);
    nytp_json_array(&j, "a");
    nytp_json_array(&j, NULL);
    nytp_json_number(&j, NULL, 1);
    nytp_json_number(&j, NULL, 2);
    nytp_json_end(&j);
    nytp_json_end(&j);
    nytp_json_array(&j, "b");
    nytp_json_end(&j);
    nytp_json_end(&j);
    nytp_json_finish(&j);
    said("{\n\"a\":[\n[1,2]\n],\n\"b\":[]\n}\n", "lines end down to a depth");
}

static void test_deepest(void) {
    nytp_json j = {.out = &out};
    char expected[2 * NYTP_JSON_DEEPEST + 2] = "";
    for (int i = 0; i < NYTP_JSON_DEEPEST; i++) nytp_json_array(&j, NULL);
    for (int i = 0; i < NYTP_JSON_DEEPEST; i++) nytp_json_end(&j);
    nytp_json_finish(&j);
    memset(expected, '[', NYTP_JSON_DEEPEST);
    memset(expected + NYTP_JSON_DEEPEST, ']', NYTP_JSON_DEEPEST);
    expected[2 * NYTP_JSON_DEEPEST] = '\n';
    said(expected, "as deep as it says");
}

static void test_numbers(void) {
    nytp_json j = {.out = &out};
    nytp_json_array(&j, NULL);
    nytp_json_number(&j, NULL, UINT64_MAX);
    nytp_json_signed(&j, NULL, INT64_MIN);
    nytp_json_signed(&j, NULL, INT64_MAX);
    nytp_json_end(&j);
    said("[18446744073709551615,-9223372036854775808,9223372036854775807]", "numbers have all their digits");
}

static void test_decimals(void) {
    static const struct {
        int64_t n;
        int places;
    } numbers[] = {{1500, 3}, {1, 9}, {0, 3}, {-50, 3}, {120, 1}, {7, 0}, {1000000007, 9}, {INT64_MIN, 9}};
    nytp_json j = {.out = &out};
    setlocale(LC_ALL, "de_DE.UTF-8"); /* a decimal comma, where it is installed */
    nytp_json_array(&j, NULL);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        nytp_json_decimal(&j, NULL, numbers[i].n, numbers[i].places);
    nytp_json_end(&j);
    said("[1.5,0.000000001,0,-0.05,12,7,1.000000007,-9223372036.854775808]", "decimals are exact, without a locale");
    setlocale(LC_ALL, "C");
}

static void string(nytp_str s, const char *expected, const char *name) {
    nytp_json j = {.out = &out};
    nytp_json_string(&j, NULL, s);
    said(expected, name);
}

static void test_strings(void) {
    string(NYTP_LIT(""), "\"\"", "an empty string");
    string(NYTP_LIT("a\"b\\c/d</script>"), "\"a\\\"b\\\\c/d</script>\"", "quotes and backslashes are escaped");
    string(NYTP_LIT("\0\t\n\r\x1B\x7F"), "\"\\u0000\\t\\n\\u000d\\u001b\\u007f\"", "so are control characters");
    string(NYTP_LIT("caf\xC3\xA9 \xF0\x9F\x90\xAA \xE2\x80\xA8\xE2\x80\xA9"),
           "\"caf\xC3\xA9 \xF0\x9F\x90\xAA \xE2\x80\xA8\xE2\x80\xA9\"", "UTF-8 stays as it is");
    string(NYTP_LIT("caf\xE9\xFF"), "\"caf\\\\xE9\\\\xFF\"", "a byte that is not UTF-8 is visible");
    string(NYTP_LIT("\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80\xE2\x82"),
           "\"\\\\xC0\\\\xAF\\\\xED\\\\xA0\\\\x80\\\\xF4\\\\x90\\\\x80\\\\x80\\\\xE2\\\\x82\"",
           "overlong, surrogate, too large, cut short: none is UTF-8");
}

static void test_names(void) {
    nytp_json j = {.out = &out};
    nytp_json_name(&j, NULL, NYTP_LIT("a\nb \"\x1B \xE2\x80\xAE\xE9"));
    said("\"a\\\\nb \\\"\\\\x1B \\\\u{202E}\\\\xE9\"", "a name shows what is invisible in it");
}

static void test_short_memory(void) {
    nytp_json j = {.out = &out};
    out.failed = 1;
    nytp_json_object(&j, NULL);
    nytp_json_name(&j, "name", NYTP_LIT("x"));
    nytp_json_end(&j);
    nytp_json_finish(&j);
    ok(out.failed && out.n == 0, "short memory leaves the buffer failed");
    nytp_buf_clear(&out);
}

static void test_given_up(void) {
    nytp_error e = {0};
    nytp_sink *sink = nytp_sink_memory(&e);
    nytp_json j = {.out = &out, .sink = sink};
    nytp_sink_begin(sink, NYTP_LIT("page"));
    nytp_json_array(&j, NULL);
    is(nytp_sink_finish(sink, &out, NYTP_NOMEM), NYTP_NOMEM, "a text that memory is short for is given up");
    ok(nytp_sink_page(sink, NYTP_LIT("page")).p == NULL && !out.p, "is no page, and its buffer is freed");
    is(nytp_sink_close(sink, NULL), NYTP_NOMEM, "and why is known");
}

static void test_sink(void) {
    enum { N = 100000 };
    nytp_error e = {0};
    nytp_sink *sink = nytp_sink_memory(&e);
    nytp_json j = {.out = &out, .sink = sink};
    size_t longest = 0;
    nytp_sink_begin(sink, NYTP_LIT("page"));
    nytp_json_array(&j, NULL);
    for (uint32_t i = 0; i < N; i++) {
        nytp_json_number(&j, NULL, i % 10);
        if (out.n > longest) longest = out.n;
    }
    nytp_json_end(&j);
    nytp_json_finish(&j);
    is(out.n, 0, "the sink got all");
    ok(longest < 2 * NYTP_SINK_PIECE, "in pieces");
    is(nytp_sink_finish(sink, &out, NYTP_OK), NYTP_OK, "the page ends");
    nytp_str page = nytp_sink_page(sink, NYTP_LIT("page"));
    is(page.n, 2 * N + 2, "which are the whole text");
    ok(nytp_str_starts(page, NYTP_LIT("[0,1,2,")) && nytp_str_ends(page, NYTP_LIT(",8,9]\n")), "in order");
    nytp_sink_close(sink, NULL);
}

int main(void) {
    test_nesting();
    test_lines();
    test_deepest();
    test_numbers();
    test_decimals();
    test_strings();
    test_names();
    test_short_memory();
    test_given_up();
    test_sink();
    nytp_buf_free(&out);
    return done();
}
