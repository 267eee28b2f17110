/* SPDX-License-Identifier: MIT */
/* clock.h - the clocks: every clock_gettime clock, the CPU's time-stamp counter, two of ticks, and a fake one for
 * tests. */
#ifndef NYTP_CAPTURE_CLOCK_H
#define NYTP_CAPTURE_CLOCK_H

#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <x86intrin.h>
#define NYTP_CLOCK_HAVE_TSC 1
#else
#define NYTP_CLOCK_HAVE_TSC 0
#endif

#define NYTP_CLOCK_TSC 1000  /* numbers beside clock_gettime's own */
#define NYTP_CLOCK_FAKE 1001 /* 10,000,000 ticks a second; every reading is 10 ticks after the one before */
#define NYTP_CLOCK_TICK 1002 /* see tick.h; greater numbers are of clocks like it */
#define NYTP_CLOCK_TICK_CPU 1003

typedef struct nytp_clock {
    int32_t id;
    int32_t is_tsc; /* 1: read by one instruction */
    uint64_t ticks_per_second; /* of the TSC: an estimate, refined by nytp_clock_refine and by a capture's anchors */
    uint32_t resolution;       /* smallest step, in ticks, at least 1 */
    uint32_t held;             /* nytp_clock_hold */
    int64_t fake;              /* the fake clock's last reading */
    const char *name;
} nytp_clock;

/* One row of `nytprof clocks`. */
typedef struct nytp_clock_row {
    const char *name; /* "monotonic", "tsc", ... */
    int32_t id;
    const char *about; /* half a sentence */
} nytp_clock_row;

/* The known clocks in order of number, up to a row with a NULL name. */
const nytp_clock_row *nytp_clock_rows(void);

/* Opens the clock that wanted names or numbers; empty or "-1" means the default: the TSC where the kernel itself trusts
 * it, else CLOCK_MONOTONIC, else CLOCK_REALTIME. A clock that this machine does not have falls back the same way, with
 * *fell_back set to 1. Returns NYTP_USAGE only when wanted is no clock's name and no number, or no clock works at
 * all. */
enum nytp_code nytp_clock_open(nytp_clock *c, nytp_str wanted, int *fell_back, nytp_error *e);

/* Whether this machine can read that clock now. */
int nytp_clock_works(int32_t id);

/* A reading of any clock but the TSC, in ticks. Fails for no clock that nytp_clock_open accepted. */
int64_t nytp_clock_slow(nytp_clock *c);

#if NYTP_CLOCK_HAVE_TSC
static inline int64_t nytp_clock_tsc(void) { return (int64_t)__rdtsc(); }
#endif

/* 1: a reading is one instruction. */
static inline int nytp_clock_is_quick(const nytp_clock *c) {
#if NYTP_CLOCK_HAVE_TSC
    return c->is_tsc;
#else
    (void)c;
    return 0;
#endif
}

/* A reading, in ticks. One instruction or one clock_gettime; no error, errno as before. */
static inline int64_t nytp_clock_now(nytp_clock *c) {
#if NYTP_CLOCK_HAVE_TSC
    if (__builtin_expect(c->is_tsc, 1)) return nytp_clock_tsc();
#endif
    return nytp_clock_slow(c);
}

/* The same, but the fake clock does not advance: for readings that are not events of the program, so that tests know
 * its times. */
int64_t nytp_clock_peek(nytp_clock *c);

/* While a profile is recorded: the clocks tick and tick_cpu have a thread that they share. A copy of a clock is to have
 * `held` 0. */
void nytp_clock_hold(nytp_clock *c);
void nytp_clock_release(nytp_clock *c);

/* 1: a clock of ticks, each of which is many events long; and a reading of the clock behind it, for what is shorter. */
static inline int nytp_clock_is_of_ticks(int64_t id) { return id == NYTP_CLOCK_TICK || id == NYTP_CLOCK_TICK_CPU; }
int64_t nytp_clock_fine(nytp_clock *c);

/* 1: a clock with such steps, in ticks, has many events at the same time: they are longer than a microsecond. */
static inline int nytp_clock_has_long_steps(uint64_t resolution, uint64_t ticks_per_second) {
    return resolution > ticks_per_second / 1000000;
}

static inline int nytp_clock_is_coarse(const nytp_clock *c) {
    return nytp_clock_has_long_steps(c->resolution, c->ticks_per_second);
}

/* A TSC's rate from two anchors (ticks, CLOCK_MONOTONIC ns) at least a millisecond apart; other clocks keep their
 * rates. */
void nytp_clock_refine(nytp_clock *c, int64_t ticks0, uint64_t ns0, int64_t ticks1, uint64_t ns1);

/* CLOCK_MONOTONIC and CLOCK_REALTIME in ns, for anchors and dates. */
uint64_t nytp_clock_monotonic_ns(void);
uint64_t nytp_clock_epoch_ns(void);

#endif
