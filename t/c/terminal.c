/* SPDX-License-Identifier: MIT */
/* terminal.c - reports as a terminal shows them: lines that fit, rounded times, colours. */
#include "fixture.h"
#include "model/load.h"
#include "report/page.h"
#include "report/registry.h"
#include "tap.h"
#include "terminal/cells.h"
#include "terminal/gprof.h"

static nytp_profile profile;
static nytp_buf text;

static const nytp_report *report_of(const char *name) {
    uint32_t i = 0;
    while (strcmp(nytp_reports[i]->name, name) != 0) i++;
    return nytp_reports[i];
}

/* What a terminal of that width gets; 0: it is none. In text, which ends with a NUL. */
static const char *print(const char *name, uint32_t width, int has_color) {
    const nytp_report *report = report_of(name);
    nytp_arg_value values[16] = {{0}};
    nytp_selection all = {.least = INT64_MIN, .top = UINT32_MAX};
    nytp_request r = {.profiles = &profile, .profiles_n = 1, .values = values, .selection = &all, .sub = ".",
                      .color = has_color, .is_terminal = width != 0, .width = width ? width : 80};
    for (uint32_t i = 0; report->args[i].name; i++) {
        values[i].text = report->args[i].fallback;
        if (values[i].text) values[i].number = strtod(values[i].text, NULL);
    }
    nytp_sink *sink = nytp_sink_memory(NULL);
    if (!sink || report->write(&r, sink)) abort();
    char page[30];
    snprintf(page, sizeof page, "%s.txt", name);
    nytp_str got = nytp_sink_page(sink, nytp_str_c(page));
    nytp_buf_clear(&text);
    nytp_buf_bytes(&text, got.p, got.n);
    nytp_buf_byte(&text, '\0');
    nytp_sink_close(sink, NULL);
    return (const char *)text.p;
}

/* Columns of the longest line, without the sequences of colours. */
static uint32_t longest(const char *lines) {
    uint32_t most = 0, n = 0;
    for (const char *at = lines; *at; at++) {
        if (*at == '\033')
            while (*at != 'm') at++;
        else n = *at == '\n' ? 0 : n + (((unsigned char)*at & 0xC0) != 0x80);
        if (n > most) most = n;
    }
    return most;
}

static void test_widths(void) {
    static const char *const names[] = {"flat", "graph", "callers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint32_t width = 80; width <= 200; width += 40) {
            ok(longest(print(names[i], width, 0)) <= width, "%s fits in %u columns", names[i], (unsigned)width);
            ok(longest(print(names[i], width, 1)) <= width, "and so it does with colours");
        }
    ok(strstr(print("flat", 80, 0), "main::__\xE2\x80\xA6"), "a long name has lost its middle");
    ok(strstr(print("flat", 200, 0), "  main::__ANON__[(eval 1)[/app/main.pl:9]:1]\n"), "but not where there is room");
    ok(strstr(print("flat", 0, 0), "  main::__ANON__[(eval 1)[/app/main.pl:9]:1]\n"), "nor without a terminal");
    ok(strstr(print("callers", 65, 0), " at \xE2\x80\xA6/main.pl:9"), "a file's name loses its directories first");
}

static void test_times(void) {
    ok(strstr(print("flat", 80, 0), " time        us       us "), "a run of less than 0.1 s is in microseconds");
    ok(strstr(print("flat", 80, 0), "\n 45.74  400.000  400.000 "), "which have three decimals");
    ok(strstr(print("flat", 0, 0), "\n 45.74 0.000400000 0.000400000 "), "without a terminal there are nine");
    ok(strstr(print("graph", 80, 0), "0.000874500 seconds\nTimes are in us.\n"), "the graph says so, too");
    profile.ticks_per_second /= 1000; /* 0.8745 s */
    ok(strstr(print("flat", 80, 0), "\n 45.74  400.000  400.000 "), "a longer one is in milliseconds");
    ok(strstr(print("callers", 80, 0), "; times in ms\n"), "which is told");
    profile.ticks_per_second /= 1000; /* 874.5 s */
    ok(strstr(print("flat", 80, 0), " time   seconds  seconds "), "and a long one in seconds");
    profile.ticks_per_second *= 1000000;
}

static void test_colors(void) {
    ok(!strchr(print("flat", 80, 0), '\033'), "no colours");
    const char *flat = print("flat", 80, 1);
    ok(strstr(flat, "\n\033[1;31m 45.74 "), "a hot row is red");
    ok(strstr(flat, "Foo::Bar::xs\033[0m\n"), "up to its end");
}

static void cut(const char *name, uint32_t room, const char *expected) {
    nytp_buf out = {0};
    nytp_gprof_name(&out, nytp_str_c(name), room);
    ok(nytp_str_eq(nytp_page_bytes(&out), nytp_str_c(expected)), "%s in %u columns", name, (unsigned)room);
    nytp_buf_free(&out);
}

static void test_names(void) {
    cut("Foo::Bar::baz", 13, "Foo::Bar::baz");
    cut("Foo::Bar::baz", 10, "Foo\xE2\x80\xA6r::baz");
    cut("Foo::Bar::baz", 0, "Foo::Bar::baz");
    cut("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA9", 4, "\xC3\xA4\xE2\x80\xA6\xC3\x9F\xC3\xA9");
    cut("\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA9", 5, "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA9");
    cut("a\033[1mb", 20, "a\\x1B[1mb");
}

int main(void) {
    char *directory = sample_directory(), path[500];
    if (!directory) abort();
    snprintf(path, sizeof path, "%s/calls.out", directory);
    const char *const paths[] = {path};
    nytp_error e;
    fixture_calls(path);
    if (nytp_load(&profile, paths, 1, NULL, &e)) abort();
    test_widths();
    test_times();
    test_colors();
    test_names();
    nytp_profile_close(&profile);
    nytp_buf_free(&text);
    unlink(path);
    rmdir(directory);
    return done();
}
