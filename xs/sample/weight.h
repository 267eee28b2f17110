/* SPDX-License-Identifier: MIT */
/* weight.h - what samples are worth: time in which the program's thread ran, was ready to run, or waited. That is
 * counted for lines and calls, and so is the number of samples. Which sample has which time is known by looks.h, or by
 * who takes them. */
#ifndef NYTP_SAMPLE_WEIGHT_H
#define NYTP_SAMPLE_WEIGHT_H

#include <sys/types.h>
#include <time.h>

#include "record/recorder.h"
#include "sample/kept.h"

enum nytp_clock_is {
    NYTP_CLOCK_OF_THREAD,
    NYTP_CLOCK_OF_PROCESS, /* right while that has one thread */
    NYTP_CLOCK_COUNTED     /* no clock, but the scheduler's count, up to the latest tick */
};

typedef struct nytp_weight {
    const char *manner;    /* the property `sampling` */
    pid_t pid, tid;        /* the thread; tid 0: not known, nor what it waits for */
    clockid_t cpu;         /* its CPU time, if tid is known */
    enum nytp_clock_is clock_is; /* a process's is left for the count when there is a second thread */
    int64_t ahead_ns;      /* of the count, what the clock was before it was left */
    int64_t cpu_ns;        /* of the thread, at the latest sample, and ... */
    int64_t delayed_ns;    /* ... how long it had been ready to run without a CPU, as far as that is charged */
    nytp_kept counted;     /* what the scheduler has counted */
    int64_t samples, lost; /* since the output began ... */
    uint64_t begun_ns;     /* ... at that time of CLOCK_MONOTONIC */
} nytp_weight;

/* Nanoseconds between two samples: what the thread used, the rest of the time as it was waiting, or ready to run. */
typedef struct nytp_weighed {
    int64_t used, waiting, ready;
} nytp_weighed;

/* The counters of a sampled stream, for front.counters. */
extern const nytp_counter nytp_weight_counters[];

/* CPU time of the thread, in ns: 0 if it is not known, that of the latest sample if the thread has ended (tid is 0
 * then). */
int64_t nytp_weight_cpu(nytp_weight *w);

/* The thread's time from now on is that of the next sample. */
void nytp_weight_begin(nytp_weight *w);

/* There is no next sample. */
void nytp_weight_end(nytp_weight *w);

/* How long it has been ready to run without a CPU, of most nanoseconds; what is more is left for the next call. */
int64_t nytp_weight_ready(nytp_weight *w, int64_t most);

/* What the time since the sample before was: wall nanoseconds, with the thread's CPU time now. */
nytp_weighed nytp_weight_of(nytp_weight *w, int64_t wall, int64_t cpu);

/* Counts for the current place and node. */
void nytp_weight_count(const nytp_weight *w, nytp_recorder *r, const nytp_weighed *time);
void nytp_weight_sampled(nytp_recorder *r, int samples);

/* Properties of a capture that begins, and of one that ends. */
void nytp_weight_describe(nytp_weight *w, const nytp_recorder *r, nytp_writer *to);
void nytp_weight_complete(const nytp_weight *w, nytp_recorder *r);

#endif
