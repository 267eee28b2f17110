/* SPDX-License-Identifier: MIT */
/* tick.h - the clocks tick and tick_cpu: time at the latest of a thousand ticks a second, for machines on which a
 * clock is slow to read.
 *
 * A thread of this process reads the clock at each tick and stores the time, and a reading loads it. So a reading is
 * quick, an interval between two readings has whole ticks, and a sum of many has the error of as many samples.
 *
 * While readings are few the thread waits, and a reading asks the clock itself: the time is never that of an older tick
 * than the latest, but for the moment that the thread takes to wake up. A program that waits has no ticks, and costs
 * nothing. Without the thread, as before nytp_tick_hold or in a forked child, readings are right, too, and slow. */
#ifndef NYTP_CAPTURE_TICK_H
#define NYTP_CAPTURE_TICK_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define NYTP_TICK_NS INT64_C(1000000)

/* Times are multiples of four nanoseconds: the two lowest bits of the word of one say what it is worth. */
enum nytp_tick_mark {
    NYTP_TICK_READ,    /* of the latest tick */
    NYTP_TICK_UNREAD,  /* the same, and it has not been read since */
    NYTP_TICK_PARKED,  /* of an earlier tick: readings are few */
    NYTP_TICK_STOPPED, /* the same: there is no thread */
    NYTP_TICK_MARKS = 3
};

typedef struct nytp_tick {
    _Atomic int64_t word; /* a time in ns with its mark */
    _Atomic int64_t asked; /* when a reading asked the clock itself: the tick before */
    clockid_t clock;
    uint32_t unread;      /* ticks in a row */
    struct nytp_tick *next;
} nytp_tick;

/* Elapsed time: CLOCK_MONOTONIC. */
extern nytp_tick nytp_tick_elapsed;

/* A word that has a mark. */
int64_t nytp_tick_read(nytp_tick *t, int64_t word);

/* Readings, in ns: elapsed time, and CPU time of this thread. */
static inline int64_t nytp_tick_now(void) {
    int64_t word = atomic_load_explicit(&nytp_tick_elapsed.word, memory_order_relaxed);
    return __builtin_expect(word & NYTP_TICK_MARKS, 0) ? nytp_tick_read(&nytp_tick_elapsed, word) : word;
}

int64_t nytp_tick_cpu(void);

/* The thread is there while it is held, by the process that holds it: *held, which is 0 at first, says so. A hold of
 * what is held already is none. Where no thread can be started, readings are slow. The end takes up to one tick. */
void nytp_tick_hold(uint32_t *held);
void nytp_tick_release(uint32_t *held);

#endif
