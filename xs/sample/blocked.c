/* SPDX-License-Identifier: MIT */
/* blocked.c - what the kernel tells of the thread becomes waiting of lines, calls and kinds of things. */
#include "sample/blocked.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "record/counters.h"
#include "sample/schedstat.h"

#define SHARE 100        /* C code takes as many times as long as a look, or longer, before there is another look */
#define LEAST_NS 20000   /* and at least so long */
#define STALE 10         /* in as many times that there is a look before a call, too */
#define LONGEST_LOOK 100000 /* ns: if clocks are further apart the thread was interrupted between their readings */

#ifdef RUSAGE_THREAD
#define OF_THREAD RUSAGE_THREAD
#else
#define OF_THREAD RUSAGE_SELF
#endif

/* ---- the kernel's clocks ---- */

typedef struct reading {
    int64_t wall, cpu, switches;
    long long ready; /* as it was, if there was no switch */
} reading;

static int64_t clock_ns(clockid_t id) {
    struct timespec t = {0};
    clock_gettime(id, &t);
    return (int64_t)t.tv_sec * NYTP_NANOSECONDS + t.tv_nsec;
}

static reading read_once(const nytp_blocked *w) {
    struct rusage usage = {0};
    long long ran;
    reading now = {.ready = w->ready, .wall = clock_ns(CLOCK_MONOTONIC), .cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID)};
    getrusage(OF_THREAD, &usage);
    now.switches = usage.ru_nvcsw;
    if (now.switches != w->switches) nytp_schedstat_here(&ran, &now.ready);
    return now;
}

static reading read_clocks(const nytp_blocked *w) {
    reading now;
    int tries = 3;
    do now = read_once(w);
    while (clock_ns(CLOCK_MONOTONIC) - now.wall > LONGEST_LOOK && --tries);
    return now;
}

static const void *this_thread(void) {
    static _Thread_local char here;
    return &here;
}

/* The thread's time since the last look as it was waiting, and as it was ready. Without a voluntary switch all that it
 * did not run it was ready; in a virtual machine the host may have had the CPU. */
typedef struct grown {
    int64_t waiting, ready;
} grown;

static grown take(nytp_blocked *w, const reading *now) {
    int64_t rest = now->wall - w->wall - (now->cpu - w->cpu);
    if (rest < 0) rest = 0;
    int64_t ready = now->switches == w->switches ? rest : now->ready - w->ready;
    if (ready < 0) ready = 0;
    if (ready > rest) ready = rest;
    w->ready = now->switches == w->switches ? w->ready + ready : now->ready;
    w->wall = now->wall;
    w->cpu = now->cpu;
    w->switches = now->switches;
    return (grown){rest - ready, ready};
}

static void restart(nytp_blocked *w) {
    w->switches = -1;
    reading now = read_clocks(w);
    take(w, &now);
    w->thread = this_thread();
    w->in_c = w->owed = 0;
}

static grown look(nytp_blocked *w) {
    if (w->thread != this_thread()) {
        restart(w);
        return (grown){0};
    }
    reading now = read_clocks(w);
    return take(w, &now);
}

/* ---- kinds ---- */

enum nytp_blocked_counter nytp_blocked_by_handle(int fd) {
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) return NYTP_BLOCKED_OTHER;
    if (S_ISFIFO(st.st_mode)) return NYTP_BLOCKED_PIPE;
    if (S_ISSOCK(st.st_mode)) return NYTP_BLOCKED_SOCKET;
    return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) || S_ISBLK(st.st_mode) ? NYTP_BLOCKED_DISK : NYTP_BLOCKED_OTHER;
}

int nytp_blocked_has_word(const char *words, nytp_str word) {
    for (const char *at = words; (at = strchr(at, ' ')) != NULL && at[1]; at++)
        if (!strncmp(at + 1, word.p, word.n) && at[1 + word.n] == ' ') return 1;
    return 0;
}

/* ---- counting ---- */

static void count(const nytp_blocked *w, nytp_recorder *r, enum nytp_blocked_counter counter, int64_t ns) {
    if (ns > 0) nytp_counters_count(r, w->first + counter, ns);
}

static int64_t in_c_ns(const nytp_blocked *w) { return (int64_t)((double)w->in_c * w->ns); }

/* What C code is known to have waited stays owed to it; the rest was not in C code. */
static void note(nytp_blocked *w, nytp_recorder *r) {
    grown time = look(w);
    int64_t most = in_c_ns(w);
    count(w, r, NYTP_BLOCKED_NO_CPU, time.ready);
    w->owed += time.waiting;
    if (w->owed <= most) return;
    count(w, r, NYTP_BLOCKED_CODE, w->owed - most);
    w->owed = most;
}

static void charge(nytp_blocked *w, nytp_recorder *r) {
    grown time = look(w);
    int64_t most = in_c_ns(w), all = w->owed + time.waiting, waiting = all < most ? all : most;
    enum nytp_blocked_counter kind = NYTP_BLOCKED_OTHER;
    if (waiting) kind = w->kind_of(w->self, nytp_current_node(r)->sub);
    int64_t ready = time.ready < most - waiting ? time.ready : most - waiting;
    if (kind != NYTP_BLOCKED_CLIENT || !w->leaves_clients) {
        count(w, r, NYTP_BLOCKED_WAITING, waiting);
        count(w, r, NYTP_BLOCKED_READY, ready);
        nytp_touch_current(r);
    }
    count(w, r, kind, waiting);
    count(w, r, NYTP_BLOCKED_CODE, all - waiting);
    count(w, r, NYTP_BLOCKED_NO_CPU, time.ready);
    w->in_c = w->owed = 0;
}

/* A look's price is that of the cheapest so far, as others were interrupted. */
static int64_t done(nytp_blocked *w, nytp_recorder *r, int64_t begun) {
    int64_t now = nytp_cold_since(r, begun), price = now - begun;
    int64_t enough = price * SHARE, least = (int64_t)(LEAST_NS / w->ns);
    if (enough < least) enough = least;
    if (enough < w->enough || !w->enough) w->enough = enough;
    w->stale = w->enough * STALE;
    w->looked = now;
    return now;
}

int64_t nytp_blocked_look(nytp_blocked *w, nytp_recorder *r, int64_t now) {
    int saved = errno;
    charge(w, r);
    errno = saved;
    return done(w, r, now);
}

int64_t nytp_blocked_look_before(nytp_blocked *w, nytp_recorder *r, int64_t now) {
    int saved = errno;
    note(w, r);
    errno = saved;
    return done(w, r, now);
}

/* ---- life ---- */

void nytp_blocked_begin(nytp_blocked *w, nytp_recorder *r) {
    int saved = errno;
    w->ns = (double)NYTP_NANOSECONDS / (double)nytp_ticks_per_second(r);
    restart(w);
    w->looked = nytp_now(r);
    if (!w->enough) w->enough = w->stale = (int64_t)(LEAST_NS / w->ns);
    errno = saved;
}

void nytp_blocked_writes(nytp_blocked *w, nytp_recorder *r, int begins) {
    if (!nytp_is_on(r)) return;
    int saved = errno;
    if (begins) note(w, r);
    else look(w);
    errno = saved;
}
