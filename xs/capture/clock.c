/* SPDX-License-Identifier: MIT */
/* clock.c - every clock_gettime clock, the CPU's time-stamp counter, two of ticks, and a fake one for tests. */
#include "capture/clock.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/tick.h"

#if NYTP_CLOCK_HAVE_TSC
#include <cpuid.h>
#endif

#define NS_PER_SECOND 1000000000u
#define FAKE_TICKS_PER_SECOND 10000000u
#define FAKE_STEP 10
#define SPIN_NS 50000u      /* long enough for a rate good to about 1e-3, until nytp_clock_refine */
#define PAIR_TRIES 5
#define REFINE_NS 300000u   /* shorter spans would make the rate worse */

static const nytp_clock_row rows[] = {
    {"realtime", CLOCK_REALTIME, "the date; jumps when it is set"},
    {"monotonic", CLOCK_MONOTONIC, "never goes back; slewed to the true second"},
    {"process_cpu", CLOCK_PROCESS_CPUTIME_ID, "CPU time of the process, all threads"},
    {"thread_cpu", CLOCK_THREAD_CPUTIME_ID, "CPU time of the thread"},
#ifdef CLOCK_MONOTONIC_RAW
    {"monotonic_raw", CLOCK_MONOTONIC_RAW, "monotonic without slewing"},
#endif
#ifdef CLOCK_REALTIME_COARSE
    {"realtime_coarse", CLOCK_REALTIME_COARSE, "the date at the last timer tick"},
#endif
#ifdef CLOCK_MONOTONIC_COARSE
    {"monotonic_coarse", CLOCK_MONOTONIC_COARSE, "monotonic at the last timer tick"},
#endif
#ifdef CLOCK_BOOTTIME
    {"boottime", CLOCK_BOOTTIME, "monotonic, time asleep included"},
#endif
#ifdef CLOCK_TAI
    {"tai", CLOCK_TAI, "the date without leap seconds"},
#endif
    {"tsc", NYTP_CLOCK_TSC, "the CPU's time-stamp counter, read by one instruction"},
    {"fake", NYTP_CLOCK_FAKE, "every reading is one microsecond after the one before; for tests"},
    {"tick", NYTP_CLOCK_TICK, "whole milliseconds, counted by a thread; where clocks are slow"},
    {"tick_cpu", NYTP_CLOCK_TICK_CPU, "CPU time of the thread, at each millisecond"},
    {NULL, 0, NULL}};

const nytp_clock_row *nytp_clock_rows(void) {
    return rows;
}

static const char *name_of(int32_t id) {
    for (const nytp_clock_row *r = rows; r->name; r++)
        if (r->id == id) return r->name;
    return "unnamed";
}

/* ---- names ---- */

static int same_name(nytp_str a, const char *b) {
    size_t i;

    for (i = 0; i < a.n && b[i]; i++)
        if (tolower((unsigned char)a.p[i]) != b[i]) return 0;
    return i == a.n && !b[i];
}

/* clock_gettime's own names: CLOCK_MONOTONIC, CLOCK_PROCESS_CPUTIME_ID. */
static nytp_str without_decoration(nytp_str s) {
    static const char prefix[] = "clock_", suffix[] = "time_id";
    const size_t before = sizeof prefix - 1, behind = sizeof suffix - 1;

    if (s.n > before && same_name((nytp_str){s.p, before}, prefix)) s.p += before, s.n -= before;
    if (s.n > behind && same_name((nytp_str){s.p + s.n - behind, behind}, suffix)) s.n -= behind;
    return s;
}

/* In C's notation, so that 0x1 and 01 are 1. Returns 0 if s is no number. */
static int parse_number(nytp_str s, int32_t *id) {
    char text[24], *end;
    long v;

    if (!s.n || s.n >= sizeof text) return 0;
    memcpy(text, s.p, s.n);
    text[s.n] = '\0';
    v = strtol(text, &end, 0);
    if (end == text || *end) return 0;
    *id = v < INT32_MIN || v > INT32_MAX ? INT32_MIN : (int32_t)v;
    return 1;
}

static int parse_clock(nytp_str wanted, int32_t *id) {
    nytp_str name = without_decoration(wanted);

    for (const nytp_clock_row *r = rows; r->name; r++) {
        if (!same_name(name, r->name)) continue;
        *id = r->id;
        return 1;
    }
    return parse_number(wanted, id);
}

/* ---- reading ---- */

static uint64_t read_ns(clockid_t id) {
    struct timespec t = {0, 0};

    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * NS_PER_SECOND + (uint64_t)t.tv_nsec;
}

uint64_t nytp_clock_monotonic_ns(void) {
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t nytp_clock_epoch_ns(void) {
    return read_ns(CLOCK_REALTIME);
}

/* The plain clocks have a single branch. */
int64_t nytp_clock_slow(nytp_clock *c) {
    if (c->id < NYTP_CLOCK_FAKE) return (int64_t)read_ns((clockid_t)c->id);
    if (c->id == NYTP_CLOCK_TICK) return nytp_tick_now();
    return c->id == NYTP_CLOCK_TICK_CPU ? nytp_tick_cpu() : (c->fake += FAKE_STEP);
}

int64_t nytp_clock_fine(nytp_clock *c) {
    if (c->id == NYTP_CLOCK_TICK) return (int64_t)nytp_clock_monotonic_ns();
    return c->id == NYTP_CLOCK_TICK_CPU ? (int64_t)read_ns(CLOCK_THREAD_CPUTIME_ID) : nytp_clock_now(c);
}

void nytp_clock_hold(nytp_clock *c) {
    if (nytp_clock_is_of_ticks(c->id)) nytp_tick_hold(&c->held);
}

void nytp_clock_release(nytp_clock *c) {
    if (c->held) nytp_tick_release(&c->held);
}

int64_t nytp_clock_peek(nytp_clock *c) { return c->id == NYTP_CLOCK_FAKE ? c->fake : nytp_clock_now(c); }

/* ---- the time-stamp counter ---- */

#if NYTP_CLOCK_HAVE_TSC

/* The kernel offers the counter as a clock source as long as it found it in step on all CPUs. */
static int is_offered_by_kernel(void) {
    char text[256];
    int fd = open("/sys/devices/system/clocksource/clocksource0/available_clocksource", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);

    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = '\0';
    for (char *at = text; (at = strstr(at, "tsc")); at += 3)
        if ((at == text || at[-1] == ' ') && (at[3] == ' ' || at[3] == '\n' || !at[3])) return 1;
    return 0;
}

/* "Invariant TSC": what /proc/cpuinfo calls constant_tsc and nonstop_tsc, without reading that slow file. */
static int is_invariant(void) {
    unsigned a, b, c, d;

    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
}

static int tsc_works(void) {
    return is_invariant() && is_offered_by_kernel();
}

/* The counter at the moment that CLOCK_MONOTONIC was read: the pair with the shortest distance of several, which
 * nothing interrupted. */
static int64_t read_pair(uint64_t *ns) {
    int64_t best = INT64_MAX, ticks = 0;

    for (int i = 0; i < PAIR_TRIES; i++) {
        int64_t before = (int64_t)__rdtsc();
        uint64_t now = nytp_clock_monotonic_ns();
        int64_t took = (int64_t)__rdtsc() - before;

        if (took >= best) continue;
        best = took;
        ticks = before + took / 2;
        *ns = now;
    }
    return ticks;
}

static uint64_t estimate_tsc_rate(void) {
    uint64_t ns0 = 0, ns1 = 0;
    int64_t ticks0 = read_pair(&ns0), ticks1;

    do ticks1 = read_pair(&ns1);
    while (ns1 - ns0 < SPIN_NS);
    return (uint64_t)((double)(ticks1 - ticks0) / (double)(ns1 - ns0) * NS_PER_SECOND);
}

#else

static int tsc_works(void) {
    return 0;
}

static uint64_t estimate_tsc_rate(void) {
    return NS_PER_SECOND;
}

#endif

void nytp_clock_refine(nytp_clock *c, int64_t ticks0, uint64_t ns0, int64_t ticks1, uint64_t ns1) {
    if (!c->is_tsc || ns1 < ns0 || ns1 - ns0 < REFINE_NS || ticks1 <= ticks0) return;
    double ticks = (double)((uint64_t)ticks1 - (uint64_t)ticks0); /* a hostile capture may hold more than INT64_MAX */
    double rate = ticks / (double)(ns1 - ns0) * NS_PER_SECOND + 0.5;
    if (rate >= 1 && rate < 1e19) c->ticks_per_second = (uint64_t)rate;
}

/* ---- opening ---- */

static clockid_t clock_behind(int32_t id) {
    if (id == NYTP_CLOCK_TICK) return CLOCK_MONOTONIC;
    return id == NYTP_CLOCK_TICK_CPU ? CLOCK_THREAD_CPUTIME_ID : (clockid_t)id;
}

int nytp_clock_works(int32_t id) {
    int saved = errno;
    struct timespec t;
    int works = id == NYTP_CLOCK_FAKE  ? 1
                : id == NYTP_CLOCK_TSC ? tsc_works()
                                       : id >= 0 && clock_gettime(clock_behind(id), &t) == 0;

    errno = saved;
    return works;
}

static int32_t default_clock(void) {
    if (nytp_clock_works(NYTP_CLOCK_TSC)) return NYTP_CLOCK_TSC;
    return nytp_clock_works(CLOCK_MONOTONIC) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static uint32_t resolution_ns(int32_t id) {
    struct timespec t;

    if (nytp_clock_is_of_ticks(id)) return NYTP_TICK_NS;
    if (clock_getres((clockid_t)id, &t)) return 1;
    return t.tv_sec ? NS_PER_SECOND : t.tv_nsec ? (uint32_t)t.tv_nsec : 1;
}

static void set_up(nytp_clock *c, int32_t id) {
    *c = (nytp_clock){.id = id, .name = name_of(id), .ticks_per_second = NS_PER_SECOND, .resolution = 1};
    if (id == NYTP_CLOCK_TSC) {
        c->is_tsc = 1;
        c->ticks_per_second = estimate_tsc_rate();
    } else if (id == NYTP_CLOCK_FAKE) {
        c->ticks_per_second = FAKE_TICKS_PER_SECOND;
        c->resolution = FAKE_STEP;
    } else {
        c->resolution = resolution_ns(id);
    }
}

enum nytp_code nytp_clock_open(nytp_clock *c, nytp_str wanted, int *fell_back, nytp_error *e) {
    int32_t id = -1;

    *fell_back = 0;
    if (wanted.n && !parse_clock(wanted, &id))
        return nytp_error_set(e, NYTP_USAGE, "clock '%.*s': neither a clock's name (see `nytprof clocks`) nor a number",
                              wanted.n > 100 ? 100 : (int)wanted.n, wanted.p);
    *fell_back = id != -1 && !nytp_clock_works(id);
    if (id == -1 || *fell_back) id = default_clock();
    if (id == CLOCK_REALTIME && !nytp_clock_works(id))
        return nytp_error_set(e, NYTP_USAGE, "this machine has no clock that works");
    set_up(c, id);
    return NYTP_OK;
}
