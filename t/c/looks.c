/* SPDX-License-Identifier: MIT */
/* How the time of a window is shared among looks, of made-up looks: what is known exactly adds up, and late looks that
 * find the program where it has lost the CPU get none of its CPU time. */
#include <stdlib.h>

#include "sample/looks.h"
#include "tap.h"

#define MS INT64_C(1000000)

static nytp_live_node nodes[4]; /* where looks find the program; of their members nothing is read */
enum { WORK, SYSTEM, SLEEP, READS };

static nytp_looks looks;
static int64_t clock_now; /* ns */

static void look(int at, enum nytp_caught state, int64_t wall, int64_t used) {
    clock_now += wall;
    nytp_looks_add(&looks, &(nytp_look){.at = {NULL, &nodes[at]}, .moment = clock_now, .wall = wall, .used = used,
                                        .counts = 10 * MS, .state = state, .samples = 1});
}

/* Sums of the shares of those looks. */
static nytp_weighed sum_at(int at) {
    nytp_weighed sum = {0, 0, 0};
    for (uint32_t i = 0; i < looks.n; i++) {
        const nytp_look *l = &looks.all[i];
        if (at >= 0 && l->at.node != &nodes[at]) continue;
        sum.used += l->share.used;
        sum.ready += l->share.ready;
        sum.waiting += l->share.waiting;
    }
    return sum;
}

/* Shares the time, of which so much was ready, and tests that it adds up. */
static void share(int64_t ready) {
    nytp_weighed all = nytp_looks_time(&looks);
    all.ready = ready;
    all.waiting -= ready;
    nytp_looks_share(&looks, &all);
    nytp_weighed sum = sum_at(-1);
    ok(sum.used == all.used && sum.ready == all.ready && sum.waiting == all.waiting, "each kind of time adds up");
}

static void begin(void) { looks.n = looks.kept = 0; }

/* One look in ten finds the program running, at moments of its own; nine find it at a system call, where it has lost
 * the CPU, and late, so that the time before them is three times as long. */
static void loaded(void) {
    begin();
    for (int i = 0; i < 10; i++) {
        look(i % 10 == 9 ? SYSTEM : WORK, NYTP_CAUGHT_RUNNING, 10 * MS + 1, 3 * MS);
        for (int k = 0; k < 9; k++) look(SYSTEM, NYTP_CAUGHT_READY, 30 * MS, 9 * MS + 7);
    }
    nytp_weighed all = nytp_looks_time(&looks);
    share(all.waiting);
    is(sum_at(WORK).used, all.used / 10 * 9, "CPU time: by the number of looks at the running program");
    is(sum_at(WORK).ready, 0, "time without a CPU: none where it has never lost it");
    is(sum_at(SYSTEM).ready, all.waiting, "but where it has");
}

/* All find the program running, and those in one place come late. */
static void late(void) {
    begin();
    for (int i = 0; i < 50; i++) {
        look(WORK, NYTP_CAUGHT_RUNNING, 10 * MS, 10 * MS);
        look(SYSTEM, NYTP_CAUGHT_RUNNING, 40 * MS, 40 * MS);
    }
    share(0);
    ok(llabs((long long)(sum_at(WORK).used - sum_at(SYSTEM).used)) < 100, "a late look gets no more than any other");
}

/* A second asleep with one late look at it, and the end of another one, which a look behind it has noticed. */
static void waits(void) {
    begin();
    look(WORK, NYTP_CAUGHT_RUNNING, 10 * MS, 10 * MS);
    look(SLEEP, NYTP_CAUGHT_WAITING, 1000 * MS, 0);
    look(WORK, NYTP_CAUGHT_RUNNING, 10 * MS, 10 * MS);
    look(READS, NYTP_CAUGHT_WAITING, 12 * MS, 2 * MS);
    look(WORK, NYTP_CAUGHT_RUNNING, 120 * MS, 20 * MS);
    share(0);
    is(sum_at(SLEEP).waiting, 1000 * MS, "a long wait is one, however few looks there were");
    is(sum_at(READS).waiting, 110 * MS, "up to its end, though a look behind it has noticed that");
    is(sum_at(WORK).waiting, 0, "and no other line waits");
    is(sum_at(WORK).used, 42 * MS, "nor does a line that waits use CPU time");
}

/* The next window begins in a wait, has no look at the running program, but knows those before. */
static void windows(void) {
    begin();
    for (int i = 0; i < 20; i++) look(WORK, NYTP_CAUGHT_RUNNING, 10 * MS, 10 * MS);
    look(SLEEP, NYTP_CAUGHT_WAITING, 10 * MS, 5 * MS);
    share(0);
    nytp_looks_keep(&looks, clock_now - 1000 * MS);
    is(looks.kept, NYTP_LOOKS_LEAST + 1, "some looks are kept, and the latest");
    look(READS, NYTP_CAUGHT_READY, 100 * MS, 8 * MS);
    share(92 * MS);
    is(sum_at(WORK).used, 8 * MS, "a window without a look at the running program: it was where it was before");
    is(sum_at(READS).ready, 92 * MS, "and lost the CPU where the look found it");
    nytp_looks_keep(&looks, clock_now + 1);
    is(looks.kept, 0, "what is older than a second does not count");
    look(READS, NYTP_CAUGHT_WAITING, 30 * MS, 4 * MS);
    share(0);
    is(sum_at(READS).used, 4 * MS, "then CPU time goes to the look behind it");
    nytp_looks_keep(&looks, 0);
    look(WORK, NYTP_CAUGHT_RUNNING, 50 * MS, 1 * MS);
    share(0);
    is(sum_at(READS).waiting, 49 * MS, "a wait that ends in the next window is still that");
}

/* Looks after a pause stand for more, and the end of the output for none. */
static void counting(void) {
    begin();
    look(WORK, NYTP_CAUGHT_RUNNING, 10 * MS, 10 * MS);
    look(SYSTEM, NYTP_CAUGHT_RUNNING, 130 * MS, 30 * MS);
    looks.all[1].counts = 30 * MS;
    look(SLEEP, NYTP_CAUGHT_RUNNING, 4 * MS, 4 * MS);
    looks.all[2].counts = 0;
    share(0);
    is(sum_at(SYSTEM).used, 33 * MS, "three quarters for a look that stands for three");
    is(sum_at(SLEEP).used, 0, "none for the end");
    begin();
    look(WORK, NYTP_CAUGHT_RUNNING, 0, 0);
    share(0);
    is(sum_at(WORK).used + sum_at(WORK).waiting, 0, "no time at all is shared, too");
}

/* Any looks: totals are exact, and nothing is below zero. */
static void any(void) {
    int below = 0;
    srand(7);
    for (int round = 0; round < 200; round++) {
        begin();
        for (int i = 0, n = 1 + rand() % (NYTP_LOOKS_ROOM - 1); i < n; i++) {
            int64_t wall = rand() % (20 * MS);
            look(rand() % 4, (enum nytp_caught)(rand() % 3), wall, rand() % 3 ? wall / (1 + rand() % 5) : 0);
        }
        nytp_weighed all = nytp_looks_time(&looks);
        all.ready = all.waiting / (1 + rand() % 4);
        all.waiting -= all.ready;
        nytp_looks_share(&looks, &all);
        nytp_weighed sum = sum_at(-1);
        below += sum.used != all.used || sum.ready != all.ready || sum.waiting != all.waiting;
        for (uint32_t i = 0; i < looks.n; i++) {
            const nytp_weighed *s = &looks.all[i].share;
            below += s->used < 0 || s->ready < 0 || s->waiting < 0;
        }
    }
    is(below, 0, "shares of random looks add up, and none is below zero");
}

int main(void) {
    loaded();
    late();
    waits();
    windows();
    counting();
    any();
    return done();
}
