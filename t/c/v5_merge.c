/* SPDX-License-Identifier: MIT */
/* v5_merge.c - merging several files of format 5. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "v5/merge.h"
#include "tap.h"

static nytp_buf told; /* a line for each event of the merged file */

static void say(const char *format, ...) NYTP_PRINTF(1, 2);
static void say(const char *format, ...) {
    char line[300];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    nytp_buf_bytes(&told, line, strlen(line));
}

#define S(s) (int)(s).n, (s).p

static int listen(void *self, const nytp_v5_event *e) {
    (void)self;
    switch (e->tag) {
    case NYTP_V5_VERSION: say("V %u.%u\n", e->u.version.major, e->u.version.minor); break;
    case NYTP_V5_ATTRIBUTE:
    case NYTP_V5_OPTION: say("%c%.*s=%.*s\n", e->tag, S(e->u.pair.key), S(e->u.pair.value)); break;
    case NYTP_V5_NEW_FID: {
        const nytp_v5_fid *f = &e->u.fid;
        say("@ %u %u:%u %.*s\n", f->fid, f->eval_fid, f->eval_line, S(f->name));
        break;
    }
    case NYTP_V5_PID_START: say("P %u\n", e->u.pid.pid); break;
    case NYTP_V5_TIME_LINE: say("+ %d %u:%u\n", e->u.time.ticks, e->u.time.fid, e->u.time.line); break;
    case NYTP_V5_SUB_ENTRY: say("> %u:%u\n", e->u.time.fid, e->u.time.line); break;
    case NYTP_V5_SUB_RETURN: say("< %.0f %.*s\n", e->u.ret.exclusive, S(e->u.ret.name)); break;
    case NYTP_V5_SUB_INFO:
        say("s %u:%u-%u %.*s\n", e->u.sub.fid, e->u.sub.first_line, e->u.sub.last_line, S(e->u.sub.name));
        break;
    case NYTP_V5_SUB_CALLERS: {
        const nytp_v5_callers *c = &e->u.callers;
        say("c %u:%u %.*s>%.*s %u %g %g %g %u\n", c->fid, c->line, S(c->caller), S(c->name), c->count, c->inclusive,
            c->exclusive, c->recursive, c->depth);
        break;
    }
    case NYTP_V5_SRC_LINE: say("S %u:%u %.*s\n", e->u.line.fid, e->u.line.line, S(e->u.line.text)); break;
    default: say("%c\n", e->tag);
    }
    return 0;
}

#define TEXT(s) {s, sizeof(s) - 1} /* NYTP_LIT is not a constant */
#define EVENT(TAG, ...) {.tag = NYTP_V5_##TAG, __VA_ARGS__}
#define PAIR(TAG, k, v) EVENT(TAG, .u.pair = {TEXT(k), TEXT(v)})
#define FID(n, parent, at, s) EVENT(NEW_FID, .u.fid = {n, parent, at, 0, 0, 0, TEXT(s)})
#define RAN(t, file, at) EVENT(TIME_LINE, .u.time = {t, file, at, 0, 0})
#define SUB(file, first, last, s) EVENT(SUB_INFO, .u.sub = {file, first, last, TEXT(s)})
#define CALLED(file, at, from, to, n, time, deep) \
    EVENT(SUB_CALLERS, .u.callers = {file, at, n, deep, time, time, 0.5, TEXT(from), TEXT(to)})
#define SOURCE(file, at, s) EVENT(SRC_LINE, .u.line = {file, at, TEXT(s)})

static const nytp_v5_event first[] = {
    EVENT(VERSION, .u.version = {5, 0}), PAIR(ATTRIBUTE, "basetime", "200"), PAIR(ATTRIBUTE, "application", "a.pl"),
    PAIR(ATTRIBUTE, "nv_size", "8"), PAIR(ATTRIBUTE, "xs_version", "6.12"),
    PAIR(ATTRIBUTE, "ticks_per_sec", "10000000"), PAIR(OPTION, "forkdepth", "-1"), PAIR(OPTION, "calls", "1"),
    EVENT(COMMENT, .u.comment = TEXT("gone\n")), EVENT(PID_START, .u.pid = {1, 0, 1.0}),
    FID(1, 0, 0, "a.pl"), FID(3, 0, 0, "B.pm"), FID(2, 1, 7, "(eval 1)[a.pl:7]"),
    RAN(10, 1, 1), RAN(20, 3, 2), EVENT(SUB_ENTRY, .u.time = {0, 3, 2, 0, 0}),
    EVENT(SUB_RETURN, .u.ret = {1, 5, 5, TEXT("main::f")}), EVENT(DISCOUNT, .utf8 = 0), RAN(1, 1, 2),
    SUB(3, 5, 6, "main::f"), SUB(2, 1, 1, "main::g"), CALLED(3, 2, "main::h", "main::f", 2, 1.5, 0),
    CALLED(0, 0, "main::h", "main::x", 0, 0, 0), SOURCE(1, 1, "one"), SOURCE(2, 1, "eval"),
    PAIR(ATTRIBUTE, "cumulative_overhead_ticks", "100"), EVENT(DISCOUNT, .utf8 = 0),
};

/* Another run of the program, with its files in another order and a clock of half the rate, deflated. */
static const nytp_v5_event second[] = {
    EVENT(VERSION, .u.version = {5, 0}), PAIR(ATTRIBUTE, "basetime", "100"), PAIR(ATTRIBUTE, "application", "a.pl"),
    PAIR(ATTRIBUTE, "nv_size", "8"), PAIR(ATTRIBUTE, "xs_version", "7.00"),
    PAIR(ATTRIBUTE, "ticks_per_sec", "5000000"), PAIR(ATTRIBUTE, "mine", "1"), PAIR(OPTION, "forkdepth", "-2"),
    PAIR(OPTION, "calls", "1"), EVENT(START_DEFLATE, .utf8 = 0), EVENT(PID_START, .u.pid = {2, 1, 2.0}),
    FID(1, 0, 0, "B.pm"), FID(2, 0, 0, "a.pl"), FID(3, 2, 7, "(eval 1)[a.pl:7]"), FID(4, 2, 7, "(eval 2)[a.pl:7]"),
    RAN(3, 1, 2), RAN(1, 3, 1), RAN(1, 4, 1), RAN(1, 9, 1), EVENT(SUB_RETURN, .u.ret = {1, 5, 5, TEXT("main::f")}),
    SUB(1, 5, 6, "main::f"), SUB(3, 1, 1, "main::g"), SUB(4, 2, 2, "main::g"),
    CALLED(1, 2, "main::h", "main::f", 3, 0.25, 4), CALLED(2, 1, "main::h", "main::e", 1, 1, 0),
    SOURCE(2, 1, "one"), SOURCE(3, 1, "eval"), SOURCE(4, 1, "other"),
    PAIR(ATTRIBUTE, "cumulative_overhead_ticks", "50"),
};

#define N(array) (sizeof(array) / sizeof *(array))

static const char expected[] =
    "V 5.0\n:nv_size=8\n:xs_version=6.12\n:ticks_per_sec=10000000\n!forkdepth=-1\n!calls=1\nz\n"
    "P 1\n@ 1 0:0 a.pl\n@ 3 0:0 B.pm\n@ 2 1:7 (eval 1)[a.pl:7]\n+ 10 1:1\n+ 20 3:2\n> 3:2\n< 5 main::f\n-\n+ 1 1:2\n"
    "s 3:5-6 main::f\ns 2:1-1 main::g\nS 1:1 one\nS 2:1 eval\n"
    "P 2\n@ 4 1:7 (eval 1)[a.pl:7]\n@ 5 1:7 (eval 2)[a.pl:7]\n+ 6 3:2\n+ 2 2:1\n+ 2 5:1\n+ 2 0:1\n< 10 main::f\n"
    "s 5:2-2 main::g\nS 4:1 eval\nS 5:1 other\n"
    "c 1:1 main::h>main::e 1 1 1 0.5 0\nc 3:2 main::h>main::f 5 1.75 1.75 1 4\nc 0:0 main::h>main::x 0 0 0 0.5 0\n"
    ":basetime=100\n:application=a.pl (2 runs)\n:cumulative_overhead_ticks=200\n:mine=1\n";

static void hear(nytp_v5_merge *m, const char *name, const nytp_v5_event *events, size_t n) {
    nytp_v5_merge_input(m, nytp_str_c(name));
    for (size_t i = 0; i < n; i++) nytp_v5_merge_event(m, &events[i]);
}

static void test_merge(void) {
    nytp_v5_merge *m = nytp_v5_merge_open();
    for (int round = 0; round < 2; round++) {
        if (round) nytp_v5_merge_begin(m, listen, NULL);
        hear(m, "one", first, N(first));
        hear(m, "two", second, N(second));
    }
    is(nytp_v5_merge_finish(m), 0, "two files are merged");
    nytp_buf_byte(&told, '\0');
    if (!ok(strcmp((char *)told.p, expected) == 0, "into one: files by name, evals by their subs, calls added up"))
        printf("%s", (char *)told.p);
    is(nytp_v5_merge_remarks(m).n, 0, "without a remark: versions, rates and forkdepth may differ");
    nytp_v5_merge_close(m);
    nytp_buf_clear(&told);
}

static void test_remarks(void) {
    const nytp_v5_event a[] = {PAIR(ATTRIBUTE, "clock_id", "1"), PAIR(OPTION, "calls", "1")};
    const nytp_v5_event b[] = {PAIR(ATTRIBUTE, "clock_id", "2"), PAIR(OPTION, "calls", "1")};
    const char *said = "two: its attribute clock_id is 2, but 1 in one: not all of their numbers can be compared\n";
    nytp_v5_merge *m = nytp_v5_merge_open();
    hear(m, "one", a, N(a));
    hear(m, "two", b, N(b));
    ok(nytp_str_eq(nytp_v5_merge_remarks(m), nytp_str_c(said)), "a difference that matters is said");
    nytp_v5_merge_close(m);
}

static void test_many_calls(void) {
    const nytp_v5_event events[] = {FID(1, 0, 0, "a.pl"), CALLED(1, 2, "main::f", "main::g", 4000000000, 1.5, 0)};
    const char *sums = "c 1:2 main::f>main::g 4000000000 1.5 1.5 0.5 0\n"
                       "c 1:2 main::f>main::g 4000000000 1.5 1.5 0.5 0\n";
    nytp_v5_merge *m = nytp_v5_merge_open();
    for (int round = 0; round < 2; round++) {
        if (round) nytp_v5_merge_begin(m, listen, NULL);
        hear(m, "one", events, N(events));
        hear(m, "two", events, N(events));
    }
    nytp_v5_merge_finish(m);
    nytp_buf_byte(&told, '\0');
    ok(strstr((char *)told.p, sums) != NULL, "calls that do not fit into 32 bits are two records, which add up");
    nytp_v5_merge_close(m);
    nytp_buf_clear(&told);
}

static void test_no_rate(void) {
    const nytp_v5_event events[] = {PAIR(ATTRIBUTE, "ticks_per_sec", "inf"), FID(1, 0, 0, "a.pl"), RAN(10, 1, 1)};
    nytp_v5_merge *m = nytp_v5_merge_open();
    hear(m, "one", events, N(events));
    nytp_v5_merge_begin(m, listen, NULL);
    hear(m, "one", events, N(events));
    nytp_buf_byte(&told, '\0');
    ok(strstr((char *)told.p, "+ 10 1:1\n") != NULL, "a rate that no clock has scales nothing");
    nytp_v5_merge_close(m);
    nytp_buf_clear(&told);
}

static int stop(void *self, const nytp_v5_event *e) { return e->tag == NYTP_V5_PID_START ? 77 : (*(int *)self)++ * 0; }

static void test_stop(void) {
    nytp_v5_merge *m = nytp_v5_merge_open();
    int heard = 0;
    hear(m, "one", first, N(first));
    is(nytp_v5_merge_begin(m, stop, &heard), 0, "a listener");
    hear(m, "one", first, N(first));
    is(nytp_v5_merge_finish(m), 77, "that has enough is not told more");
    is(heard, 6, "than it wanted");
    nytp_v5_merge_close(m);
}

int main(void) {
    test_merge();
    test_remarks();
    test_many_calls();
    test_no_rate();
    test_stop();
    nytp_buf_free(&told);
    return done();
}
