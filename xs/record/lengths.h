/* SPDX-License-Identifier: MIT */
/* lengths.h - how long things of one kind took: their number, their sum, the longest, and all of them in buckets. */
#ifndef NYTP_RECORD_LENGTHS_H
#define NYTP_RECORD_LENGTHS_H

#include "capture/buckets.h"
#include "capture/writer.h"

typedef struct nytp_live_lengths {
    int64_t count, sum;              /* sum, longest and began are in ticks of the clock */
    int64_t longest, began;          /* and when the longest began */
    uint32_t *octaves[NYTP_BUCKETS_OCTAVES]; /* owned; numbers of lengths by bucket; NULL: none */
} nytp_live_lengths; /* all zero: none */

typedef struct nytp_timed_call { /* a call whose length is to be known: latency.h */
    int64_t began, lost; /* the clock at the beginning, and what was not the program's by then, ... */
    struct nytp_live_node *node; /* ... of a call of this one; NULL: the call does not count, ... */
    uint32_t era;        /* ... in that process and output */
} nytp_timed_call;

/* The numbers of an octave that has none yet; NULL when memory is short. */
uint32_t *nytp_lengths_octave(nytp_live_lengths *l, uint32_t octave);

/* A length that is also so many ns. When memory is short it is counted and in no bucket. */
static inline void nytp_lengths_add(nytp_live_lengths *l, int64_t began, int64_t ticks, uint64_t ns) {
    uint32_t bucket = nytp_buckets_of(ns), octave = bucket / NYTP_BUCKETS_STEPS;
    uint32_t *numbers = l->octaves[octave];
    if (!l->count || ticks > l->longest) {
        l->longest = ticks;
        l->began = began;
    }
    l->count++;
    l->sum += ticks;
    if (!numbers) numbers = nytp_lengths_octave(l, octave);
    if (numbers) numbers[bucket % NYTP_BUCKETS_STEPS]++;
}

/* Adds those of `from` to `to` and empties `from`. */
void nytp_lengths_move(nytp_live_lengths *from, nytp_live_lengths *to);

void nytp_lengths_empty(nytp_live_lengths *l);

/* Puts the records of a label: the tally, or the buckets; nothing if l has no length. */
void nytp_lengths_put_tally(nytp_writer *w, const nytp_live_lengths *l, uint32_t label);
void nytp_lengths_put_buckets(nytp_writer *w, const nytp_live_lengths *l, uint32_t label);

/* Frees what l owns. */
void nytp_lengths_free(const nytp_live_lengths *l);

#endif
