/* SPDX-License-Identifier: MIT */
/* quantile.c - adds up lengths in buckets, of which only octaves with some take memory, and finds quantiles in them. */
#include "model/quantile.h"

#include <string.h>

#include "base/ticks.h"

/* Less than nothing is of a window that is taken back. */
void nytp_quantile_tally(nytp_lengths *l, const nytp_stream *s, const nytp_rec_tally *r) {
    int64_t longest = nytp_stream_ns(s, r->longest);
    l->count = nytp_ticks_add(l->count, r->count);
    l->sum = nytp_ticks_add(l->sum, nytp_stream_ns(s, r->sum));
    if (r->count <= 0 || (l->began && longest <= l->longest)) return;
    l->longest = longest;
    l->began = nytp_stream_epoch(s, r->began);
    l->process = s->process;
}

static int add_number(nytp_arena *arena, nytp_lengths *l, uint32_t bucket, int64_t n) {
    int64_t **octave = &l->octaves[bucket / NYTP_BUCKETS_STEPS];
    size_t size = NYTP_BUCKETS_STEPS * sizeof **octave;
    if (!*octave) {
        if (!(*octave = nytp_arena_get(arena, size))) return 0;
        memset(*octave, 0, size);
    }
    int64_t *number = *octave + bucket % NYTP_BUCKETS_STEPS;
    *number = nytp_ticks_add(*number, n);
    return 1;
}

int nytp_quantile_bucket(nytp_arena *arena, nytp_lengths *l, const nytp_rec_bucket *r) {
    return r->bucket >= NYTP_BUCKETS || add_number(arena, l, (uint32_t)r->bucket, r->count);
}

int64_t nytp_quantile_number(const nytp_lengths *l, uint32_t bucket) {
    const int64_t *octave = l->octaves[bucket / NYTP_BUCKETS_STEPS];
    return octave && octave[bucket % NYTP_BUCKETS_STEPS] > 0 ? octave[bucket % NYTP_BUCKETS_STEPS] : 0;
}

int nytp_quantile_join(nytp_arena *arena, nytp_lengths *l, const nytp_lengths *more) {
    if (more->began && (!l->began || more->longest > l->longest)) {
        l->longest = more->longest;
        l->began = more->began;
        l->process = more->process;
    }
    l->count = nytp_ticks_add(l->count, more->count);
    l->sum = nytp_ticks_add(l->sum, more->sum);
    int fine = 1;
    for (uint32_t i = 0; i < NYTP_BUCKETS; i++) {
        int64_t n = nytp_quantile_number(more, i);
        if (n) fine &= add_number(arena, l, i, n);
    }
    return fine;
}

static uint64_t number_of_all(const nytp_lengths *l) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NYTP_BUCKETS; i++) sum += (uint64_t)nytp_quantile_number(l, i);
    return sum;
}

uint64_t nytp_quantile_longest(const nytp_lengths *l) { return l->longest > 0 ? (uint64_t)l->longest : 0; }

/* The middle of the bucket in which the wanted one is. */
uint64_t nytp_quantile_of(const nytp_lengths *l, uint32_t thousandths) {
    uint64_t all = number_of_all(l), below = 0, most = nytp_quantile_longest(l);
    uint64_t rank = all / 1000 * thousandths + (all % 1000 * thousandths + 999) / 1000;
    for (uint32_t i = 0; all && i < NYTP_BUCKETS; i++) {
        below += (uint64_t)nytp_quantile_number(l, i);
        if (below < rank || !below) continue;
        uint64_t least = nytp_buckets_least(i), middle = least + (nytp_buckets_least(i + 1) - least) / 2;
        return middle < most ? middle : most;
    }
    return 0;
}
