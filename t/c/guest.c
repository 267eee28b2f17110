/* SPDX-License-Identifier: MIT */
/* guest.c - chunks made in other programs: their bytes are those of any writer, and their texts bounded. */
#include "capture/guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/reader.h"
#include "scratch.h"
#include "tap.h"

#define RUN "00112233445566778899aabbccddeeff"

static char path[500], value[600];

static void begin(nytp_guest *g) {
    FILE *f = fopen(path, "w");
    if (f) fclose(f);
    snprintf(value, sizeof value, "1:" RUN ":42:0:%s", path);
    ok(nytp_guest_begin(g, value), "a value is taken");
    g->program = "make";
    g->recorder = "test";
}

static void test_variable(void) {
    nytp_guest g, again;
    char spelled[NYTP_GUEST_ROOM];
    begin(&g);
    is(g.parent, 42, "with the start of the process above");
    is(nytp_guest_spell(spelled, &g, 7), 1, "it is written for a child");
    ok(strncmp(spelled, "NYTPROF_BUILD=1:" RUN ":7:0:/", sizeof "NYTPROF_BUILD=1:" RUN ":7:0:/" - 1) == 0,
       "as NAME=VALUE");
    ok(nytp_guest_begin(&again, strchr(spelled, '=') + 1) && again.parent == 7 && !strcmp(again.file, path),
       "which the child reads");
    ok(!nytp_guest_begin(&again, NULL) && !nytp_guest_begin(&again, "") &&
           !nytp_guest_begin(&again, "1:" RUN ":42:0:x"),
       "nothing, and what is no absolute name, is refused");
}

static void write_all(nytp_guest *g, char *const *argv) {
    char *environment[] = {"MAKELEVEL=3", "NYTPROF_TARGET=all", NULL};
    struct rusage used = {.ru_maxrss = 5};
    used.ru_utime.tv_sec = 2;
    errno = 99;
    nytp_guest_began(g, &(nytp_guest_process){.pid = 8, .start = 100, .argv = argv, .environment = environment});
    nytp_guest_ended(g, 8, 100, 3 << 8, &used, 0);
    nytp_guest_end(g, NYTP_END_FINISHED);
    is(errno, 99, "errno stays");
}

static void test_records(void) {
    nytp_guest g;
    nytp_error e = {0};
    nytp_record r;
    char *argv[] = {"sh", "-c", "true", NULL};
    int kinds[8] = {0}, n = 0;
    begin(&g);
    write_all(&g, argv);
    nytp_reader *reader = nytp_reader_open(path, &e);
    while (reader && nytp_reader_next(reader, &r) > 0) {
        if (n < 8) kinds[n++] = (int)r.kind;
        if (r.kind == NYTP_REC_PROPERTY && nytp_str_eq(r.u.pair.key, NYTP_LIT("build")))
            ok(nytp_str_eq(r.u.pair.value, NYTP_LIT("42")), "the process above is named");
        if (r.kind == NYTP_REC_PROCESS)
            ok(r.u.process.level == 3 && r.u.process.words == 3 && nytp_str_eq(r.u.process.target, NYTP_LIT("all")) &&
                   nytp_str_eq(r.u.process.command, NYTP_LIT("sh\0-c\0true\0")), "a process is read as it was");
        if (r.kind == NYTP_REC_EXIT)
            ok(r.u.exit.status == 3 && r.u.exit.user_us == 2000000 && r.u.exit.max_rss_kb == 5, "and so is its end");
    }
    nytp_reader_close(reader);
    const int expected[8] = {NYTP_REC_PROCESS_START, NYTP_REC_PROPERTY, NYTP_REC_PROPERTY, NYTP_REC_PROCESS,
                             NYTP_REC_EXIT, NYTP_REC_END};
    is(memcmp(kinds, expected, sizeof kinds), 0, "behind what begins the stream, and with its end");
}

static void test_long(void) {
    nytp_guest g;
    nytp_error e = {0};
    nytp_record r;
    char *text = malloc(200000), *argv[] = {"sh", "-c", text, text, NULL};
    if (!text) return;
    memset(text, 'x', 199999);
    text[199999] = 0;
    begin(&g);
    write_all(&g, argv);
    nytp_reader *reader = nytp_reader_open(path, &e);
    while (reader && nytp_reader_next(reader, &r) > 0)
        if (r.kind == NYTP_REC_PROCESS)
            ok(r.u.process.words == 4 && r.u.process.command.n + r.u.process.cut == 400006,
               "what is too long is cut, and counted");
    nytp_reader_close(reader);
    free(text);
}

static void test_limit(void) {
    struct rlimit before, limit;
    nytp_guest g;
    char *argv[] = {"sh", NULL};
    begin(&g);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &limit);
    nytp_guest_began(&g, &(nytp_guest_process){.pid = 8, .start = 100, .argv = argv});
    setrlimit(RLIMIT_FSIZE, &before);
    ok(1, "a limit for files does not end the program");
}

/* An argument as it is recorded, in memory that is no larger; "" if the expression is none. */
static int is_masked(const char *expression, const char *argument, const char *expected) {
    nytp_mask m;
    if (!nytp_mask_begin(&m, expression)) return !*expected;
    size_t n = nytp_mask_put(&m, NULL, 0, argument);
    int is_same = n == strlen(expected) + 1;
    for (size_t room = 0; room <= n; room++) {
        char *to = malloc(room + !room);
        is_same &= to && nytp_mask_put(&m, to, room, argument) == n && memcmp(to, expected, room) == 0;
        free(to);
    }
    nytp_mask_end(&m);
    return is_same;
}

static void test_mask(void) {
    ok(is_masked("a+", "xaayaz", "x(redacted)y(redacted)z"), "all that matches is left out");
    ok(is_masked("^x|z$", "xaxz", "(redacted)ax(redacted)"), "a beginning and an end are those of the argument");
    ok(is_masked("b*|$", "abc", "a(redacted)c"), "a match of nothing is none");
    ok(is_masked("key=[^ ]*", "key=\xFF\xC3 \xE9", "(redacted) \xE9"), "characters are bytes");
    ok(is_masked(".", "", "") && is_masked("x", "", ""), "nothing stays nothing");
    ok(is_masked("a(", "a", ""), "what is no expression is refused");
}

int main(void) {
    snprintf(path, sizeof path, "%s/guest", scratch_make());
    test_variable();
    test_records();
    test_long();
    test_limit();
    test_mask();
    return done();
}
