/* SPDX-License-Identifier: MIT */
/* replay.c - records, and the events of format 5 that replay makes of them. The clock ticks a hundred million times a
 * second: ten ticks are one of format 5. */
#include <string.h>

#include "capture/clock.h"
#include "v5/replay.h"
#include "tap.h"
#include "told.h"

#define START 1700000000000000000u

/* ---- a capture ---- */

static nytp_replay *replay;
static nytp_stream_id who = {{1}, START, 100, 0, NYTP_FRONT_PERL};
static uint32_t stream; /* that of the next records */

#define RECORD(KIND, member, ...)                                                                                   \
    nytp_replay_record(replay,                                                                                      \
                       &(nytp_record){.kind = NYTP_REC_##KIND, .stream = stream, .u.member = {__VA_ARGS__}}, &who)

static void start(uint32_t pid, int64_t clock, uint64_t rate) {
    who.pid = pid;
    RECORD(PROCESS_START, process_start, .parent_pid = 99, .start = START, .ticks_per_second = rate, .clock_id = clock,
           .clock_name = NYTP_LIT("x"), .program = NYTP_LIT("prog.pl"), .interpreter = NYTP_LIT("perl 5.36.0"));
}

static void begin(const char *option, const char *value) {
    heard.left = -1;
    stream = 0;
    replay = nytp_replay_open(told_take, &heard, INT64_MAX);
    start(100, NYTP_CLOCK_TSC, 100000000);
    RECORD(OPTION, pair, NYTP_LIT("clock"), NYTP_LIT("1000"));
    if (option) RECORD(OPTION, pair, nytp_str_c(option), nytp_str_c(value));
    RECORD(ATTRIBUTE, pair, NYTP_LIT("ticks_per_sec"), NYTP_LIT("100000000"));
    RECORD(ATTRIBUTE, pair, NYTP_LIT("application"), NYTP_LIT("$0"));
    RECORD(PROPERTY, pair, NYTP_LIT("host"), NYTP_LIT("h"));
}

static void file(uint64_t id, uint64_t parent, uint64_t line, const char *name) {
    RECORD(FILE, file, id, 50 | NYTP_FILE_FOLDED, parent, line, 100, 200, nytp_str_c(name));
}

static void sub(uint64_t id, uint64_t flags, uint64_t in, uint64_t first, uint64_t last, const char *name) {
    RECORD(SUB, sub, id, flags, in, first, last, 1, nytp_str_c(name), NYTP_LIT(""));
}

static void end(void) {
    RECORD(PROCESS_END, process_end, .end = START + 1500000000);
    RECORD(END, end, NYTP_END_FINISHED, 1);
}

static void close_all(void) {
    nytp_replay_close(replay);
    forget();
}

/* ---- the tests ---- */

static void test_opening(void) {
    begin("calls", "2");
    RECORD(NOTE, note, NYTP_LIT("not in that format"));
    ok(!heard.text.n, "nothing is told before all of the opening is known");
    file(1, 0, 0, "/prog.pl");
    heard_is("V 5 0\n# Perl profile database\n: basetime=1700000000\n: application=$0\n: nv_size=8\n: clock_id=1\n"
             ": ticks_per_sec=10000000\n! clock=1\n! calls=2\nz\nP 100 99 1700000000.0\n@ 1 0:0 50 /prog.pl\n",
             "the opening in order; the time-stamp counter is clock 1; flags of our own are left out");
    RECORD(ATTRIBUTE, pair, NYTP_LIT("late"), NYTP_LIT("1"));
    RECORD(WINDOW, window, .subtracted = 70, .flush = 35);
    end();
    heard_is("", "a window alone tells nothing");
    is(nytp_replay_finish(replay), 0, "finished");
    heard_is(": cumulative_overhead_ticks=11\np 100 1700000001.5\n", "overhead, and the end of the process");
    close_all();

    begin(NULL, NULL);
    RECORD(WINDOW, window, .subtracted = 0);
    nytp_replay_finish(replay);
    nytp_buf_byte(&heard.text, 0);
    ok(strstr((char *)heard.text.p, "cumulative_overhead_ticks=0\n") && !strstr((char *)heard.text.p, "\np 100"),
       "a process that was killed has no end");
    close_all();
}

static void begin_statements(const char *option, const char *value) {
    begin(option, value);
    file(1, 0, 0, "/prog.pl");
    RECORD(PLACE, place, 7, 1, 3, 2, 1);
    forget();
}

static void test_statements(void) {
    begin_statements(NULL, NULL);
    RECORD(PLACE_DELTA, delta, 7, 3, 100, {0});
    heard_is("+ 3 1:3\n+ 3 1:3\n+ 4 1:3\n", "three statements share the time");
    RECORD(PLACE_DELTA, delta, 7, 1, 5, {0});
    heard_is("+ 1 1:3\n", "half a tick is rounded up");
    RECORD(PLACE_DELTA, delta, 7, 1, 4, {0});
    heard_is("+ 0 1:3\n", "and the next time is given back: 109 of ours are 11 of theirs");
    RECORD(PLACE_DELTA, delta, 7, 0, 41, {0});
    heard_is("-\n+ 4 1:3\n", "time without a statement is behind a discount");
    RECORD(PLACE_DELTA, delta, 7, 2, -50, {0});
    heard_is("+ -2 1:3\n+ -3 1:3\n", "ticks may be negative");
    RECORD(PLACE_DELTA, delta, 7, 0, 2, {0});
    heard_is("", "what is less than a tick waits");
    RECORD(PLACE_DELTA, delta, 0, 0, 1000, {0});
    heard_is("", "there is no time before the first statement");
    RECORD(PLACE_DELTA, delta, 7, -1, 0, {0});
    RECORD(PLACE_DELTA, delta, 7, 2, 0, {0});
    heard_is("+ 0 1:3\n", "a statement taken back is not told again");
    RECORD(PLACE_DELTA, delta, 7, 1, 50000000000, {0});
    heard_is("+ 2147483647 1:3\n-\n+ 2147483647 1:3\n-\n+ 705032706 1:3\n",
             "500 s are more than one record can hold, and are not cut");
    RECORD(PLACE_DELTA, delta, 8, 1, 10, {0});
    heard_is("@ 2 0:0 128 (unknown file)\n+ 1 2:1\n", "a place whose definition is lost");
    close_all();

    begin_statements("blocks", "1");
    RECORD(PLACE_DELTA, delta, 7, 1, 10, {0});
    heard_is("* 1 1:3 2 1\n", "with blocks=1 there are the lines of block and sub");
    close_all();
}

static void test_rate(void) {
    begin_statements(NULL, NULL);
    RECORD(WINDOW, window, .anchor_ticks = 0, .anchor_ns = 1000000000);
    RECORD(PLACE_DELTA, delta, 7, 1, 1000, {0});
    heard_is("+ 100 1:3\n", "a clock as it was thought to be");
    RECORD(WINDOW, window, .anchor_ticks = 200000000, .anchor_ns = 2000000000);
    RECORD(PLACE_DELTA, delta, 7, 1, 1000, {0});
    heard_is("+ 0 1:3\n", "when it turns out to be twice as fast, what was told is put right");
    close_all();
}

static void test_files(void) {
    begin(NULL, NULL);
    file(3, 0, 0, "/prog.pl");
    forget();
    file(4, 3, 9, "(eval 1)[/prog.pl:9]");
    RECORD(SOURCE, source, 4, 1, NYTP_LIT("1;\n2"));
    RECORD(SOURCE, source, 4, 3, NYTP_LIT("3\n"));
    heard_is("@ 4 3:9 50 (eval 1)[/prog.pl:9]\nS 4:1 1;\nS 4:2 2S 4:3 3\n", "files get new numbers");
    RECORD(FILE, file, 5, NYTP_FILE_UTF8, 0, 0, 0, 0, NYTP_LIT("/\xC3\xA9"));
    heard_is("@ 5 0:0 0 /\xC3\xA9 utf8\n", "a name that perl calls UTF-8");
    stream = 1;
    start(101, NYTP_CLOCK_TSC, 100000000);
    file(1, 0, 0, "/other.pm");
    file(3, 0, 0, "/prog.pl");
    file(4, 3, 9, "(eval 1)[/prog.pl:9]");
    RECORD(SOURCE, source, 3, 1, NYTP_LIT("first\n"));
    heard_is("P 101 99 1700000000.0\n@ 1 0:0 50 /other.pm\n@ 6 3:9 50 (eval 1)[/prog.pl:9]\nS 3:1 first\n",
             "another process: one file of one name, but evals of its own");
    stream = 0;
    RECORD(SOURCE, source, 3, 1, NYTP_LIT("first\nsecond\n"));
    heard_is("S 3:2 second\n", "no line of source twice");
    file(4000000000u, 0, 0, "/far.pm");
    heard_is("@ 7 0:0 50 /far.pm\n", "a number out of all reason is not kept");
    close_all();
}

/* recurs(3) at line 6 calls itself at line 3 and then, at line 4, an xsub that calls back; `never` is not called. */
static void tell_tree(void) {
    file(1, 0, 0, "/prog.pl");
    file(2, 1, 8, "(eval 1)[/prog.pl:8]");
    for (uint64_t line = 3; line <= 6; line++) RECORD(PLACE, place, line, 1, line, line, line);
    sub(1, 0, 1, 1, 5, "main::recurs");
    sub(2, NYTP_SUB_XSUB, 0, 0, 0, "List::first");
    sub(3, NYTP_SUB_OPCODE, 0, 0, 0, "main::CORE:print");
    sub(4, 0, 1, 7, 7, "main::never");
    sub(5, 0, 2, 1, 1, "Only::in_eval");
    sub(6, NYTP_SUB_UNDEFINED, 0, 0, 0, "main::nosuch");
    sub(7, NYTP_SUB_XSUB, 0, 0, 0, "Only::xs");
    RECORD(NODE, node, 1, 0, 6, 1);
    RECORD(NODE, node, 2, 1, 3, 1);
    RECORD(NODE, node, 3, 2, 3, 1);
    RECORD(NODE, node, 4, 1, 4, 2);
    RECORD(NODE, node, 5, 4, 4, 3);
    RECORD(NODE, node, 6, 0, 6, 6);
    RECORD(NODE, node, 7, 0, 6, 7);
    RECORD(NODE_DELTA, delta, 1, 1, 100, {0});
    RECORD(NODE_DELTA, delta, 2, 1, 200, {0});
    RECORD(NODE_DELTA, delta, 3, 1, 300, {0});
    RECORD(NODE_DELTA, delta, 4, 1, 400, {0});
    RECORD(NODE_DELTA, delta, 5, 2, 30, {0});
    RECORD(NODE_DELTA, delta, 6, 1, 0, {0});
    RECORD(NODE_DELTA, delta, 7, 1, 10, {0});
    forget();
    nytp_replay_finish(replay);
}

#define RETURNS \
    "< 3 30 30 main::recurs\n< 2 50 20 main::recurs\n< 3 1 1 main::CORE:print\n< 3 2 2 main::CORE:print\n" \
    "< 2 43 40 List::first\n< 1 103 10 main::recurs\n< 1 0 0 main::nosuch\n< 1 1 1 Only::xs\n"
#define SUMMARY \
    ": cumulative_overhead_ticks=0\n" \
    "s 1:1-1 main::RUNTIME\ns 1:1-5 main::recurs\ns 1:0-0 main::CORE:print\ns 1:7-7 main::never\n" \
    "s 2:1-1 Only::in_eval\ns 2:0-0 Only::xs\n" \
    "c 0:0  > List::first 0 incl 0 excl 0 reci 0 depth 0\n" \
    "c 0:0  > main::CORE:print 0 incl 0 excl 0 reci 0 depth 0\n" \
    "c 0:0  > Only::xs 0 incl 0 excl 0 reci 0 depth 0\n" \
    "c 1:6 main::RUNTIME > main::recurs 1 incl 103 excl 10 reci 0 depth 0\n" \
    "c 1:3 main::recurs > main::recurs 2 incl 0 excl 50 reci 80 depth 2\n" \
    "c 1:4 main::recurs > List::first 1 incl 43 excl 40 reci 0 depth 0\n" \
    "c 1:4 List::first > main::CORE:print 2 incl 3 excl 3 reci 0 depth 0\n" \
    "c 1:6 main::RUNTIME > main::nosuch 1 incl 0 excl 0 reci 0 depth 0\n" \
    "c 1:6 main::RUNTIME > Only::xs 1 incl 1 excl 1 reci 0 depth 0\n"

static void test_calls(void) {
    begin(NULL, NULL);
    tell_tree();
    heard_is(RETURNS SUMMARY, "returns behind those of the callees, subs, markers, sites");
    close_all();
    begin("calls", "0");
    tell_tree();
    heard_is(SUMMARY, "calls=0: no events, the same summary");
    close_all();
    begin("calls", "2");
    tell_tree();
    heard_is("> 1:6\n> 1:3\n> 1:3\n< 3 30 30 main::recurs\n< 2 50 20 main::recurs\n> 1:4\n> 1:4\n"
             "< 3 1 1 main::CORE:print\n> 1:4\n< 3 2 2 main::CORE:print\n< 2 43 40 List::first\n"
             "< 1 103 10 main::recurs\n> 1:6\n< 1 0 0 main::nosuch\n> 1:6\n< 1 1 1 Only::xs\n" SUMMARY,
             "calls=2: every return has its entry");
    close_all();
}

static void test_variants(void) {
    begin(NULL, NULL);
    file(1, 0, 0, "/prog.pl");
    RECORD(PLACE, place, 1, 1, 9, 9, 9);
    sub(1, 0, 1, 1, 2, "main::f");
    sub(2, 0, 1, 4, 5, "main::f");
    sub(3, NYTP_SUB_PHASE, 0, 0, 0, "main::NULL");
    RECORD(NODE, node, 1, 0, 0, 3);
    RECORD(NODE, node, 2, 1, 1, 1);
    RECORD(NODE, node, 3, 2, 1, 2);
    RECORD(NODE_DELTA, delta, 2, 1, 10, {0});
    RECORD(NODE_DELTA, delta, 3, 1, 10, {0});
    forget();
    nytp_replay_finish(replay);
    heard_is("< 2 1 1 main::f\n< 1 2 1 main::f\n: cumulative_overhead_ticks=0\ns 1:4-5 main::f\n"
             "c 1:9 main::NULL > main::f 1 incl 2 excl 1 reci 0 depth 0\n"
             "c 1:9 main::f > main::f 1 incl 0 excl 1 reci 1 depth 1\n",
             "bodies of one name are one sub, and the newest says where; a phase calls but is no call");
    close_all();
}

/* The recorder counts a call in the file in which it ends: here the call has time only. A function in C whose first
 * call died is not known to be written in C. */
static void test_returns(void) {
    begin(NULL, NULL);
    file(1, 0, 0, "/prog.pl");
    RECORD(PLACE, place, 1, 1, 9, 9, 9);
    sub(1, 0, 1, 1, 2, "main::f");
    sub(2, NYTP_SUB_XSUB | NYTP_SUB_DIED_FIRST, 0, 0, 0, "main::c");
    RECORD(NODE, node, 1, 0, 1, 1);
    RECORD(NODE, node, 2, 0, 1, 2);
    RECORD(NODE_DELTA, delta, 1, 0, 10, {0});
    RECORD(NODE_DELTA, delta, 2, 1, 10, {0});
    forget();
    nytp_replay_finish(replay);
    heard_is("< 1 1 1 main::c\n: cumulative_overhead_ticks=0\ns 1:1-1 main::RUNTIME\ns 1:1-2 main::f\n"
             "c 1:9 main::RUNTIME > main::c 1 incl 1 excl 1 reci 0 depth 0\n",
             "a call that does not end here does not count; an xsub that died first has no marker");
    close_all();
}

/* Two processes with clocks of their own, and a process that began twice. */
static void test_streams(void) {
    begin(NULL, NULL);
    file(1, 0, 0, "/prog.pl");
    RECORD(PLACE, place, 1, 1, 1, 1, 1);
    RECORD(WINDOW, window, .flush = 10);
    end();
    stream = 1;
    start(101, 1, 1000000000);
    file(1, 0, 0, "/prog.pl");
    RECORD(PLACE, place, 1, 1, 2, 2, 2);
    forget();
    RECORD(PLACE_DELTA, delta, 1, 1, 1000, {0});
    heard_is("+ 10 1:2\n", "another process' ticks are its own clock's");
    RECORD(WINDOW, window, .flush = 200);
    stream = 0;
    start(100, NYTP_CLOCK_TSC, 100000000);
    file(9, 0, 0, "/prog.pl");
    heard_is("p 100 1700000001.5\nP 100 99 1700000000.0\n", "a profile finished and begun again is ended in between");
    end();
    nytp_replay_finish(replay);
    heard_is(": cumulative_overhead_ticks=3\np 100 1700000001.5\n", "the one that was killed has no end");
    close_all();

    heard.left = -1;
    replay = nytp_replay_open(told_take, &heard, INT64_MAX);
    stream = 2;
    start(102, 1, 1000000000);
    RECORD(WINDOW, window, .flush = 10);
    nytp_replay_finish(replay);
    heard_is("V 5 0\n# Perl profile database\n: basetime=1700000000\n: application=prog.pl\n: nv_size=8\n: clock_id=1\n"
             ": ticks_per_sec=10000000\nz\nP 102 99 1700000000.0\n: cumulative_overhead_ticks=0\n",
             "streams of which only damage was read do not appear");
    close_all();
}

static void test_refusal(void) {
    begin(NULL, NULL);
    heard.left = 3;
    is(RECORD(FILE, file, .id = 1, .name = NYTP_LIT("/f")), 42, "who says no is not told any more");
    is(RECORD(WINDOW, window, .flush = 1), 42, "and the replay remembers it");
    is(nytp_replay_finish(replay), 42, "to the end");
    heard_is("V 5 0\n# Perl profile database\n: basetime=1700000000\n", "what was told until then");
    close_all();
    replay = nytp_replay_open(told_take, &heard, INT64_MAX);
    is(nytp_replay_finish(replay), 0, "no records, no events");
    heard_is("", "none at all");
    close_all();
    nytp_replay_close(NULL);
}

/* Records of every kind with numbers that contradict each other, as a hostile capture may have them. */
static int count(void *self, const nytp_v5_event *e) {
    uint64_t *events = self;

    (*events)++;
    return e->tag == NYTP_V5_NEW_FID && !e->u.fid.fid ? 43 : 0;
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void test_nonsense(void) {
    uint64_t events = 0, state = 1;
    int code = 0;

    replay = nytp_replay_open(count, &events, INT64_MAX);
    for (int i = 0; i < 20000 && !code; i++) {
        uint64_t kind = next_random(&state) % NYTP_REC_KINDS;
        uint64_t a = next_random(&state) % 50, b = next_random(&state) % 50;

        stream = (uint32_t)next_random(&state) % 3;
        switch (kind) {
        case NYTP_REC_FILE: code = RECORD(FILE, file, a * a * a * a * a, b, b, a, 0, 0, NYTP_LIT("/f")); break;
        case NYTP_REC_SOURCE: code = RECORD(SOURCE, source, a, b << 40, NYTP_LIT("x\n\ny")); break;
        case NYTP_REC_SUB: code = RECORD(SUB, sub, a, b, a, b, a, 1, {&"main::f"[a % 4], 3}, NYTP_LIT("")); break;
        case NYTP_REC_PLACE: code = RECORD(PLACE, place, a, b, a << 30, b, a); break;
        case NYTP_REC_NODE: code = RECORD(NODE, node, a, b, a, b); break;
        case NYTP_REC_PLACE_DELTA:
            code = RECORD(PLACE_DELTA, delta, a, (int64_t)b - 25, (int64_t)(a << 52), {0});
            break;
        case NYTP_REC_NODE_DELTA:
            code = RECORD(NODE_DELTA, delta, a, (int64_t)b - 25, INT64_MAX - (int64_t)a, {0});
            break;
        case NYTP_REC_WINDOW:
            code = RECORD(WINDOW, window, INT64_MIN, (int64_t)a, 0, (int64_t)b, a << 40, 0, 0, 0);
            break;
        case NYTP_REC_PROCESS_START: start((uint32_t)a, a % 2 ? NYTP_CLOCK_TSC : 1, b << 30); break;
        default: code = nytp_replay_record(replay, &(nytp_record){.kind = (uint32_t)kind, .stream = stream}, &who);
        }
    }
    ok(!code && !nytp_replay_finish(replay) && events > 1000, "records that make no sense are told somehow");
    close_all();
}

/* A file may begin with damage, which belongs to no stream; nor has it any effect elsewhere. */
static void test_damage(void) {
    const nytp_record damage = {.kind = NYTP_REC_DAMAGE, .u.damage = {1, 2, NYTP_LIT("torn")}};

    heard.left = -1;
    replay = nytp_replay_open(told_take, &heard, INT64_MAX);
    is(nytp_replay_record(replay, &damage, NULL), NYTP_OK, "damage before any stream is passed over");
    is((long)heard.text.n, 0, "and begins nothing");
    is(nytp_replay_finish(replay), NYTP_OK, "damage may be all that there is");
    close_all();
}

int main(void) {
    test_opening();
    test_damage();
    test_statements();
    test_rate();
    test_files();
    test_calls();
    test_variants();
    test_returns();
    test_streams();
    test_refusal();
    test_nonsense();
    nytp_buf_free(&heard.text);
    return done();
}
