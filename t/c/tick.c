/* SPDX-License-Identifier: MIT */
/* The clocks of ticks: readings with and without their thread, by many threads, after a pause, in a forked child; the
 * thread costs nothing while there are no readings, and ends. */
#include "tap.h"

#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/tick.h"

#define MS INT64_C(1000000)
#define SLACK (2 * MS) /* how far a reading may be behind: a tick, and the thread's way to it */

static int64_t clock_ns(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * 1000 * MS + t.tv_nsec;
}

static int64_t elapsed(void) { return clock_ns(CLOCK_MONOTONIC); }

static void pause_for(int64_t ns) {
    struct timespec t = {.tv_sec = ns / (1000 * MS), .tv_nsec = ns % (1000 * MS)};
    nanosleep(&t, NULL);
}

static nytp_clock open_clock(const char *name) {
    nytp_error e = {0};
    nytp_clock c;
    int fell_back;
    ok(!nytp_clock_open(&c, nytp_str_c(name), &fell_back, &e) && !fell_back, "%s", name);
    return c;
}

static int others; /* threads of a sanitizer */

/* Threads of this process. */
static int threads(void) {
    int n = -others;
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d));) n += e->d_name[0] != '.';
    if (d) closedir(d);
    return n;
}

/* How often threads of this process have waited. */
static long waits(void) {
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_nvcsw;
}

/* Reads for a while; what was wrong: 1: backwards, 2: no whole tick, 4: ahead of the clock. *most: the longest time
 * that a reading was behind, *changes: how often it changed. */
static int read_for(nytp_clock *c, clockid_t id, int64_t ns, int64_t *most, int *changes) {
    int wrong = 0;
    int64_t last = nytp_clock_now(c);
    for (int64_t until = elapsed() + ns; elapsed() < until;) {
        int64_t before = clock_ns(id), now = nytp_clock_now(c);
        wrong |= (now < last) | (id == CLOCK_MONOTONIC && now % MS) << 1 | (now > clock_ns(id)) << 2;
        *most = before - now > *most ? before - now : *most;
        *changes += now != last;
        last = now;
    }
    return wrong;
}

/* A busy machine keeps the thread from the CPU now and then: of several tries the best counts. */
static void readings(const char *name, clockid_t id) {
    nytp_clock c = open_clock(name);
    int64_t best = INT64_MAX;
    int wrong = 0, changes = 0;
    nytp_clock_hold(&c);
    for (int i = 0; i < 20 && best > SLACK; i++) {
        int64_t most = 0;
        wrong |= read_for(&c, id, 20 * MS, &most, &changes);
        best = most < best ? most : best;
    }
    is(wrong, 0, "readings do not go back, are whole ticks, and are not ahead");
    ok(best <= SLACK, "nor further behind than a tick: %lld us", (long long)best / 1000);
    ok(changes > 3, "and go on: %d steps", changes);
    nytp_clock_release(&c);
}

static void without_thread(void) {
    nytp_clock c = open_clock("tick");
    int64_t most = 0;
    int changes = 0;
    is(threads(), 1, "no thread before it is held");
    is(read_for(&c, CLOCK_MONOTONIC, 20 * MS, &most, &changes), 0, "readings are right without it");
    ok(most <= 30 * MS && changes > 3, "and not behind");
    nytp_clock_hold(&c);
    nytp_clock_hold(&c);
    nytp_clock other = open_clock("tick_cpu");
    nytp_clock_hold(&other);
    is(threads(), 2, "one for all clocks while they are held");
    nytp_clock_release(&c);
    is(threads(), 2, "until the last one");
    nytp_clock_release(&other);
    is(threads(), 1, "is released");
    nytp_clock_release(&other);
    int64_t before = elapsed(), now = nytp_clock_now(&c);
    ok(now >= before - MS && now <= elapsed(), "readings are right behind that, too");
}

/* After a pause a reading is of that moment, not of the last tick before the thread waited. */
static void pauses(void) {
    nytp_clock c = open_clock("tick");
    int64_t most = 0;
    int changes = 0, late = 0;
    nytp_clock_hold(&c);
    for (int i = 0; i < 10; i++) {
        read_for(&c, CLOCK_MONOTONIC, 2 * MS, &most, &changes);
        pause_for(40 * MS);
        int64_t before = elapsed();
        late += nytp_clock_now(&c) < before - SLACK;
    }
    ok(late <= 1, "a reading after a pause is fresh: %d of 10 are not", late);
    pause_for(30 * MS);
    long from = waits();
    pause_for(300 * MS);
    ok(waits() - from < 5, "the thread rests when nothing is read: %ld waits in 0.3 s", waits() - from);
    from = waits();
    for (int i = 0; i < 100; i++) {
        nytp_clock_now(&c);
        pause_for(3 * MS);
    }
    ok(waits() - from < 150, "and while readings are few: %ld waits for 100", waits() - from);
    nytp_clock_release(&c);
}

/* ---- threads and forks ---- */

static void *read_both(void *wrong) {
    nytp_clock both[2] = {{.id = NYTP_CLOCK_TICK}, {.id = NYTP_CLOCK_TICK_CPU}};
    int64_t most = 0;
    int changes = 0;
    for (int i = 0; i < 5; i++) {
        nytp_clock_hold(&both[i % 2]);
        *(int *)wrong |= read_for(&both[0], CLOCK_MONOTONIC, 10 * MS, &most, &changes);
        *(int *)wrong |= read_for(&both[1], CLOCK_THREAD_CPUTIME_ID, 10 * MS, &most, &changes);
        nytp_clock_release(&both[i % 2]);
    }
    return NULL;
}

static void several(void) {
    pthread_t all[4];
    int wrong[4] = {0}, any = 0;
    for (int i = 0; i < 4; i++) pthread_create(&all[i], NULL, read_both, &wrong[i]);
    for (int i = 0; i < 4; i++) pthread_join(all[i], NULL);
    for (int i = 0; i < 4; i++) any |= wrong[i];
    is(any, 0, "four threads read both clocks, hold and release them");
    is(threads(), 1, "and the one that ticks has ended");
}

static void forks(void) {
    nytp_clock wall = open_clock("tick"), cpu = open_clock("tick_cpu");
    int64_t most = 0;
    int changes = 0, status = -1;
    nytp_clock_hold(&wall);
    read_for(&wall, CLOCK_MONOTONIC, 30 * MS, &most, &changes);
    read_for(&cpu, CLOCK_THREAD_CPUTIME_ID, 30 * MS, &most, &changes);
    pid_t pid = fork();
    if (!pid) {
        others = 0;
        int64_t before = elapsed(), used = nytp_clock_now(&cpu);
        int wrong = nytp_clock_now(&wall) < before - MS || used > clock_ns(CLOCK_THREAD_CPUTIME_ID) || threads() != 1;
        nytp_clock_release(&wall);
        nytp_clock_hold(&wall);
        wrong |= (threads() != 2) << 1;
        changes = 0;
        wrong |= read_for(&wall, CLOCK_MONOTONIC, 30 * MS, &most, &changes) << 2 | (changes < 3) << 5;
        wrong |= read_for(&cpu, CLOCK_THREAD_CPUTIME_ID, 30 * MS, &most, &changes) << 2;
        nytp_clock_release(&wall);
        wrong |= (threads() != 1) << 6;
        _exit(wrong);
    }
    waitpid(pid, &status, 0);
    is(status, 0, "a child has a thread of its own once it holds the clock, and right readings before");
    is(threads(), 2, "the parent keeps its own");
    nytp_clock_release(&wall);
    is(threads(), 1, "until the end");
}

static void *nothing(void *unused) { return unused; }

/* ThreadSanitizer has a thread of its own from the first of a process on, but not in a forked child. */
static void count_others(void) {
#ifdef __SANITIZE_THREAD__
    others = 1;
#endif
    pthread_t first;
    if (others && !pthread_create(&first, NULL, nothing, NULL)) pthread_join(first, NULL);
}

int main(void) {
    count_others();
    without_thread();
    readings("tick", CLOCK_MONOTONIC);
    readings("tick_cpu", CLOCK_THREAD_CPUTIME_ID);
    pauses();
    several();
    forks();
    return done();
}
