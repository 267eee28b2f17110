/* SPDX-License-Identifier: MIT */
/* lengths.c - adds up lengths and writes their sums. An octave has memory from its first length on, and keeps it. */
#include "record/lengths.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"

uint32_t *nytp_lengths_octave(nytp_live_lengths *l, uint32_t octave) {
    return l->octaves[octave] = calloc(NYTP_BUCKETS_STEPS, sizeof *l->octaves[octave]);
}

void nytp_lengths_empty(nytp_live_lengths *l) {
    l->count = l->sum = l->longest = l->began = 0;
    for (uint32_t i = 0; i < NYTP_BUCKETS_OCTAVES; i++)
        if (l->octaves[i]) memset(l->octaves[i], 0, NYTP_BUCKETS_STEPS * sizeof *l->octaves[i]);
}

static void move_octave(uint32_t **from, uint32_t **to) {
    if (!*to) {
        *to = *from;
        *from = NULL;
    }
    for (uint32_t i = 0; *from && i < NYTP_BUCKETS_STEPS; i++) (*to)[i] += (*from)[i];
}

void nytp_lengths_move(nytp_live_lengths *from, nytp_live_lengths *to) {
    if (!from->count) return;
    if (!to->count || from->longest > to->longest) {
        to->longest = from->longest;
        to->began = from->began;
    }
    to->count += from->count;
    to->sum = nytp_ticks_add(to->sum, from->sum);
    for (uint32_t i = 0; i < NYTP_BUCKETS_OCTAVES; i++) move_octave(&from->octaves[i], &to->octaves[i]);
    nytp_lengths_empty(from);
}

void nytp_lengths_put_tally(nytp_writer *w, const nytp_live_lengths *l, uint32_t label) {
    nytp_record out = {.kind = NYTP_REC_TALLY, .u.tally = {label, l->count, l->sum, l->longest, l->began}};
    if (l->count) nytp_writer_put(w, &out);
}

void nytp_lengths_put_buckets(nytp_writer *w, const nytp_live_lengths *l, uint32_t label) {
    nytp_record out = {.kind = NYTP_REC_BUCKETS, .u.bucket.label = label};
    for (uint32_t i = 0; l->count && i < NYTP_BUCKETS; i++) {
        const uint32_t *octave = l->octaves[i / NYTP_BUCKETS_STEPS];
        if (!octave) i |= NYTP_BUCKETS_STEPS - 1;
        if (!octave || !octave[i % NYTP_BUCKETS_STEPS]) continue;
        out.u.bucket.bucket = i;
        out.u.bucket.count = octave[i % NYTP_BUCKETS_STEPS];
        nytp_writer_put(w, &out);
    }
}

void nytp_lengths_free(const nytp_live_lengths *l) {
    for (uint32_t i = 0; i < NYTP_BUCKETS_OCTAVES; i++) free(l->octaves[i]);
}
