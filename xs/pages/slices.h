/* SPDX-License-Identifier: MIT */
/* slices.h - what passed when, as a picture has room for it: lanes of processes, and slices of their time, each divided
 * by what passed in it. */
#ifndef NYTP_PAGES_SLICES_H
#define NYTP_PAGES_SLICES_H

#include "model/profile.h"

#define NYTP_SLICES_LANES 8u  /* the most */
#define NYTP_SLICES_MOST 256u /* slices of all lanes */
#define NYTP_SLICES_NONE UINT32_MAX

enum nytp_passed { /* what a slice is divided into */
    NYTP_PASSED_RUNNING, /* the rest: code, as far as is told */
    NYTP_PASSED_IO,      /* built-ins that read and write; whether they waited is not told */
    NYTP_PASSED_WAITING,
    NYTP_PASSED_LOADING,
    NYTP_PASSED_PROFILER,
    NYTP_PASSED_OFF,
    NYTP_PASSED
};

typedef struct nytp_piece { /* one slice */
    uint32_t lane;
    uint64_t begin, end;         /* ns since the run began */
    int64_t length;              /* ticks; less than from begin to end if the clock stood still */
    int64_t ticks[NYTP_PASSED];  /* their sum is the length */
    int64_t clients;             /* of waiting: for clients */
} nytp_piece;

typedef struct nytp_slices {
    nytp_piece *at; /* by lane, then time */
    uint32_t n;
    uint32_t lanes[NYTP_SLICES_LANES]; /* their processes, those with most time, in the profile's order */
    uint32_t lanes_n, left_out;        /* left_out: processes without a lane */
    uint64_t first, last;              /* ns since the run began: of all slices */
    int64_t sums[NYTP_PASSED];
    uint32_t *slice_of; /* by stretch of the profile: its slice, or NYTP_SLICES_NONE */
} nytp_slices;

/* The slice of a time, or NYTP_SLICES_NONE. */
static inline uint32_t nytp_slices_of(const nytp_slices *s, const nytp_spent *spent) {
    return s->slice_of[spent->stretch];
}

/* Microseconds, rounded up: a window is in the range that has its end. */
static inline uint64_t nytp_slices_us(uint64_t ns) { return (ns + 999) / 1000; }

/* Of the run, approximately: so many units are enough to tell apart what is in a slice. */
static inline uint64_t nytp_slices_units(const nytp_slices *s) {
    return s->n < 50 ? 100000u : s->n < 125 ? 2000u * s->n : 250000u;
}

/* Returns an nytp_code; free in any case. Without stretches in the profile n is 0. */
int nytp_slices_find(nytp_slices *s, const nytp_profile *p);
/* Of the time at that index of the profile's: what perl took to compile the main program. */
int64_t nytp_slices_compiling(const nytp_profile *p, uint32_t i);

/* The part of data.js that pages/DATA describes. */
void nytp_slices_put(nytp_buf *out, const nytp_slices *s, const nytp_profile *p);

void nytp_slices_free(nytp_slices *s);

#endif
