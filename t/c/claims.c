/* SPDX-License-Identifier: MIT */
/* claims.c - captures that claim more statements, calls or time than can be listed, as a small file may: the number of
 * events that replay makes of them is bounded. */
#include "tap.h"
#include "v5/replay.h"

#define MOST 1000

static uint64_t told;

static int count(void *self, const nytp_v5_event *e) {
    (void)self, (void)e;
    told++;
    return 0;
}

static int take(nytp_replay *r, const nytp_record *record) {
    static const nytp_stream_id who = {{1}, 1700000000000000000u, 100, 0, NYTP_FRONT_PERL};
    return nytp_replay_record(r, record, &who);
}

#define RECORD(KIND, member, ...) take(r, &(nytp_record){.kind = NYTP_REC_##KIND, .u.member = {__VA_ARGS__}})

/* A statement of one place, and f called by itself, thrice. */
static nytp_replay *begin(const char *calls) {
    nytp_replay *r = nytp_replay_open(count, NULL, MOST);
    RECORD(OPTION, pair, NYTP_LIT("calls"), nytp_str_c(calls));
    RECORD(FILE, file, .id = 1, .name = NYTP_LIT("/f"));
    RECORD(PLACE, place, 1, 1, 1, 1, 1);
    RECORD(SUB, sub, .name = NYTP_LIT("main::f"), .id = 1);
    RECORD(NODE, node, 1, 0, 1, 0);
    RECORD(NODE, node, 2, 1, 1, 0);
    RECORD(NODE, node, 3, 1, 1, 0);
    RECORD(NODE, node, 4, 1, 1, 0);
    RECORD(PLACE_DELTA, delta, 1, 1, 1, {0});
    told = 0;
    return r;
}

static void test_statements(void) {
    nytp_replay *r = begin("1");
    is(RECORD(PLACE_DELTA, delta, 1, 600, 600, {0}), NYTP_OK, "so many statements may be");
    is((long)told, 600, "and are told");
    is(RECORD(PLACE_DELTA, delta, 1, 600, 600, {0}), NYTP_FORMAT, "more in all are refused");
    is((long)told, 600, "and none of them is told");
    is(nytp_replay_finish(r), NYTP_FORMAT, "nor anything else");
    nytp_replay_close(r);
}

static void test_time(void) {
    nytp_replay *r = begin("1");
    is(RECORD(PLACE_DELTA, delta, 1, 1, INT64_MAX, {0}), NYTP_FORMAT, "so is time that takes as many events");
    ok(told <= 2 * MOST, "of which no more are told");
    nytp_replay_close(r);
}

static void test_calls(const char *calls, int expected) {
    nytp_replay *r = begin(calls);
    for (uint64_t node = 1; node <= 4; node++) RECORD(NODE_DELTA, delta, node, INT64_MAX, 1, {0});
    is(nytp_replay_finish(r), expected, "calls are refused where they would be told");
    ok(told < 20, "before");
    nytp_replay_close(r);
}

int main(void) {
    test_statements();
    test_time();
    test_calls("0", NYTP_OK);
    test_calls("1", NYTP_FORMAT);
    test_calls("2", NYTP_FORMAT);
    return done();
}
