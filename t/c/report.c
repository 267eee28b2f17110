/* SPDX-License-Identifier: MIT */
/* report.c - the common parts of reports: escaping, numbers, names, templates, and the outputs of pages. */
#include <sys/stat.h>

#include "fixture.h"
#include "model/load.h"
#include "model/source.h"
#include "pages/comments.h"
#include "report/escape.h"
#include "report/names.h"
#include "report/page.h"
#include "report/registry.h"
#include "report/sink.h"
#include "report/units.h"
#include "tap.h"

static nytp_buf out;

static int said(const char *expected, const char *name) {
    nytp_str got = nytp_page_bytes(&out);
    int fine = ok(nytp_str_eq(got, nytp_str_c(expected)), "%s", name);
    if (!fine) printf("#   got '%.*s', expected '%s'\n", (int)got.n, got.p, expected);
    nytp_buf_clear(&out);
    return fine;
}

static void html(const char *text, const char *expected, const char *name) {
    nytp_escape_html(&out, nytp_str_c(text));
    said(expected, name);
}

static void test_escape(void) {
    html("<a href=\"x\">&'", "&lt;a href=&quot;x&quot;&gt;&amp;&#39;", "markup is text");
    html("a\nb\tc\x1B[m", "a\\nb\\tc\\x1B[m", "control characters are visible");
    html("caf\xE9 caf\xC3\xA9", "caf\\xE9 caf\xC3\xA9", "a byte that is no UTF-8 is told by its number");
    html("\xE2\x80\xAE\xE2\x81\xA6", "\\u{202E}\\u{2066}", "so is what would turn the direction of reading");
    html("\xC0\xAF\xED\xA0\x80\xF4\x90\x80\x80\xE2\x82", "\\xC0\\xAF\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80\\xE2\\x82",
         "overlong, surrogate, too large, cut short: none is UTF-8");
    nytp_escape_source(&out, NYTP_LIT("\tif ($a < 1)\r\n"));
    said("\tif ($a &lt; 1)", "source keeps its tabs and loses its line end");
}

/* The kinds of a source's lines, a letter for each: code, comment, documentation. The line `ran` ran. */
static void comments(int front, const char *const *lines, uint32_t ran, const char *expected, const char *name) {
    nytp_line at = {.line = ran, .count = 1};
    nytp_process process = {.id = {.front_end = front}};
    nytp_profile p = {.processes = &process, .processes_n = 1};
    nytp_file f = {.process = 1, .level = {{&at, ran != 0}}};
    for (uint32_t i = 0; lines[i]; i++)
        if (nytp_source_add(&p, &f, i + 1, nytp_str_c(lines[i]))) abort();
    unsigned char *kinds = nytp_comments_find(&p, &f);
    for (uint32_t i = 0; i < f.source_lines; i++) nytp_buf_byte(&out, ".cd"[kinds[i]]);
    said(expected, name);
    free(kinds);
    nytp_profile_close(&p);
}

static void test_comments(void) {
    const char *const perl[] = {"f(); # no\n", " \t# yes\n", "=pod\n", "\n", "f();\n", "=cutting\n", "=cut\n", "\n",
                                "# yes\n", NULL};
    comments(NYTP_FRONT_PERL, perl, 0, ".cddddd.c", "comments of Perl, and its documentation");
    comments(NYTP_FRONT_PERL, perl, 5, ".cdd.dd.c", "a line that ran is neither");
    const char *const lua[] = {"f() -- no\n", "-- yes\n", "--[=[\n", "]] \n", "]=] \n", "# no\n", " --[[ ]]\n",
                               "f()\n", NULL};
    comments(NYTP_FRONT_LUA, lua, 0, ".cccc.c.", "comments of Lua, of one line and of many");
}

static void test_plain(void) {
    nytp_sub s = {0};

    s.name = nytp_str_c("a b;c::__ANON__[(eval 17)[(eval 3)[x.pl:1]:2]:1] (eval x)\n");
    nytp_escape_text(&out, NYTP_LIT("a<b>\n\xE9\"\\"));
    said("a<b>\\n\\xE9\"\\", "plain text keeps markup, not lines");
    nytp_escape_dot(&out, NYTP_LIT("\\N \"\n"));
    said("\\\\N \\\"\\\\n", "in a graph's label neither quotes nor escapes mean anything");
    nytp_names_frame(&out, &s);
    said("a b?c::__ANON__[(eval 0)[(eval 0)[x.pl:1]:2]:1] (eval x)?", "a frame's name has no separators");
    s.name = nytp_str_c(" a 1 b 12.5");
    nytp_names_frame(&out, &s);
    said("?a 1 b?12.5", "nor ends in a word that would be taken for the time");
}

static void seconds(double s, const char *expected) {
    nytp_units_time(&out, s);
    said(expected, expected);
}

static void test_units(void) {
    seconds(-3e-6, "~0 s");
    seconds(0, "0 s");
    seconds(123.4e-9, "123 ns");
    seconds(999.6e-9, "1.00 \xC2\xB5s");
    seconds(3.05e-6, "3.05 \xC2\xB5s");
    seconds(9.996e-6, "10.0 \xC2\xB5s");
    seconds(451e-3, "451 ms");
    seconds(0.9999, "1.00 s");
    seconds(99.96, "100 s");
    seconds(12345.6, "12,346 s");
    is(nytp_units_whole(15, 10, 1000000000), 1500000000, "ticks as a whole number of nanoseconds");
    is(nytp_units_whole(INT64_MAX, 4000000000u, 10000000), 23058430092136940, "of a week or a century");
    nytp_units_sum sum = {.per_second = 3, .rate = 10};
    uint64_t given[4] = {nytp_units_next(&sum, 1), nytp_units_next(&sum, 1), nytp_units_next(&sum, -7),
                         nytp_units_next(&sum, 1)};
    ok(given[0] == 3 && given[1] == 4 && given[2] == 0 && given[3] == 3, "times that add up: 3 + 4 + 0 + 3 tenths");
    is(nytp_units_next(&sum, INT64_MAX) > 0 && nytp_units_next(&sum, INT64_MAX) == 0, 1, "up to the largest number");
    is(nytp_units_whole(-5, 10, 10) + nytp_units_whole(5, 0, 10), 0, "none of a negative one, or of no clock");
    nytp_units_count(&out, 1234567);
    said("1,234,567", "thousands are separated");
    nytp_units_count(&out, -5);
    said("0", "a negative count shows as nothing");
    nytp_units_percent(&out, 123, 1000);
    said("12.3 %", "a share");
    nytp_units_percent(&out, 1, 0);
    said("", "of nothing there is none");
}

static void test_page(void) {
    const nytp_hole holes[] = {{"a", NYTP_LIT("{{b}}")}, {"b", NYTP_LIT("two")}};
    is(nytp_page_fill(&out, NYTP_LIT("<{{a}}|{{b}}{x}>"), holes, 2), NYTP_OK, "every hole is filled");
    said("<{{b}}|two{x}>", "once: what is put in is not looked at again");
    is(nytp_page_fill(&out, NYTP_LIT("{{c}}"), holes, 2), NYTP_USAGE, "a hole without value is an error");
    nytp_buf_clear(&out);
}

static void page_name(const nytp_profile *p, const char *name, const char *expected, const char *why) {
    nytp_file f = {.name = nytp_str_c(name)};
    nytp_profile q = *p;
    q.files = &f;
    nytp_names_page(&out, &q, 0, "line");
    said(expected, why);
}

static void test_names(void) {
    nytp_pair pairs[] = {{NYTP_LIT("inc"), NYTP_LIT("/usr/lib"), 0, NYTP_REC_PROPERTY},
                         {NYTP_LIT("inc"), NYTP_LIT("/usr/lib/perl5/"), 0, NYTP_REC_PROPERTY},
                         {NYTP_LIT("inc"), NYTP_LIT("./lib"), 0, NYTP_REC_PROPERTY},
                         {NYTP_LIT("cwd"), NYTP_LIT("/home/me"), 0, NYTP_REC_PROPERTY}};
    nytp_profile p = {.pairs = pairs, .pairs_n = 4};
    page_name(&p, "/usr/lib/perl5/A/B.pm", "A-B-pm-0-line", "the longest @INC directory goes");
    page_name(&p, "/usr/libx/C.pm", "usr-libx-C-pm-0-line", "one that is only a prefix of a name stays");
    page_name(&p, "/home/me/lib/D.pm", "D-pm-0-line", "a relative one is below the first directory");
    page_name(&p, "(eval 3)[/usr/lib/A.pm:7]", "(eval 3)[A-pm-7]-0-line", "an eval names its file likewise");
    page_name(&p, "-e", "e-0-line", "dashes at the ends go");
    page_name(&p, "/tmpdir/n/--a<b>|'x'..pl", "tmpdir-n-a-b-x-pl-0-line", "runs of odd characters are one dash");
    page_name(&p, "/very/long/path/to/a/directory/of/many/names/that/goes/on/short.pl", "short-pl-0-line",
              "a long name loses its directories");
    page_name(&p, "/x/averyveryveryverylongfilenamewithmorethanfiftycharacters.pm", "TOOLONG-0-line", "or all of it");
}

static int exists(const char *directory, const char *name) {
    char path[500];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return stat(path, &st) == 0;
}

static void test_directory(const char *base) {
    char path[450], mine[500];
    nytp_error e = {0};
    snprintf(path, sizeof path, "%s/report", base);
    snprintf(mine, sizeof mine, "%s/mine.txt", path);
    nytp_sink *s = nytp_sink_directory(path, 0, 0600, &e);
    is(nytp_sink_put(s, NYTP_LIT("a.html"), "abc", 3), NYTP_OK, "a page is written");
    is(nytp_sink_put(s, NYTP_LIT("../b.html"), "abc", 3), NYTP_USAGE, "but not outside the directory");
    is(nytp_sink_close(s, NULL), NYTP_USAGE, "and closing tells the first error");
    sample_spew(mine, "x", 1);
    s = nytp_sink_directory(path, 1, 0600, &e);
    ok(!exists(path, "a.html"), "emptying deletes the earlier report's page");
    ok(exists(path, "mine.txt"), "and nobody else's file");
    nytp_sink_put(s, NYTP_LIT("c.html"), "", 0);
    is(nytp_sink_close(s, NULL), NYTP_OK, "all is written");
    s = nytp_sink_directory(path, 0, 0600, &e);
    nytp_sink_close(s, NULL);
    s = nytp_sink_directory(path, 1, 0600, &e);
    ok(!exists(path, "c.html"), "a report in between did not make it forget");
    nytp_sink_close(s, NULL);
    s = nytp_sink_directory(mine, 0, 0600, &e);
    ok(!s && strstr(e.text, "is a file"), "a file is no directory, and it is said");
}

static const nytp_report *report_named(const char *name) {
    uint32_t i = 0;
    while (nytp_reports[i] && strcmp(nytp_reports[i]->name, name) != 0) i++;
    return nytp_reports[i];
}

static void test_memory(const char *base) {
    static const nytp_arg_value values[20]; /* no option given */
    char path[450];
    const char *one = path;
    nytp_error e = {0};
    nytp_profile p;
    snprintf(path, sizeof path, "%s/calls.out", base);
    fixture_calls(path);
    is(nytp_load(&p, &one, 1, NULL, &e), NYTP_OK, "a profile");
    nytp_sink *s = nytp_sink_memory(&e);
    const nytp_request request = {.profiles = &p, .profiles_n = 1, .version = "7.00", .values = values};
    is(report_named("html")->write(&request, s), NYTP_OK, "is reported in memory");
    ok(nytp_sink_page(s, NYTP_LIT("index.html")).n > 1000, "where its pages can be had");
    ok(!nytp_sink_page(s, NYTP_LIT("none.html")).p, "those that there are");
    nytp_sink_close(s, NULL);
    nytp_profile_close(&p);
}

int main(void) {
    char command[500], *directory = sample_directory();
    test_escape();
    test_comments();
    test_plain();
    test_units();
    test_page();
    test_names();
    test_directory(directory);
    test_memory(directory);
    nytp_buf_free(&out);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command)) return 1;
    return done();
}
