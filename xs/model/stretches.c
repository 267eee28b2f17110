/* SPDX-License-Identifier: MIT */
/* stretches.c - collects the windows of captures and, for each, the time of its contexts and places, and values of
 * metrics. */
#include "model/stretches.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"

#define MOST 4096u            /* stretches */
#define MOST_SPENT (1u << 20) /* times of contexts in them, of places, and values of a metric */

/* ---- the times and values of contexts and places ---- */

static int by_stretch_and_thing(const void *a, const void *b) {
    const nytp_spent *x = a, *y = b;
    if (x->stretch != y->stretch) return x->stretch < y->stretch ? -1 : 1;
    return (x->of > y->of) - (x->of < y->of);
}

/* Makes one of several entries of a context or place in a stretch, from that at index `first` on. */
static void sum_up(nytp_spendings *all) {
    uint32_t n = all->first;
    if (n < all->n) qsort(all->at + n, all->n - n, sizeof *all->at, by_stretch_and_thing);
    for (uint32_t i = all->first; i < all->n; i++) {
        nytp_spent *last = n > all->first ? &all->at[n - 1] : NULL;
        int is_same = last && !by_stretch_and_thing(last, &all->at[i]);
        if (is_same) last->value = nytp_ticks_add(last->value, all->at[i].value);
        else all->at[n++] = all->at[i];
    }
    all->n = all->first = n;
}

static enum nytp_code spend(nytp_loader *l, const nytp_stream *s, nytp_spendings *all, uint32_t of, int64_t value) {
    nytp_spent *spent = nytp_grow(&l->p->arena, &all->at, all->n, &all->room, sizeof *spent);
    if (!spent) return nytp_loader_no_memory(l);
    *spent = (nytp_spent){.stretch = s->stretch - 1, .of = of, .value = value};
    all->n++;
    return NYTP_OK;
}

static void sum_up_all(nytp_profile *p) {
    sum_up(&p->of_contexts);
    sum_up(&p->of_places);
    sum_up(&p->of_named);
    for (uint32_t k = 0; k < p->metrics_n; k++) sum_up(&p->metrics[k].of_contexts);
}

static int is_full(const nytp_profile *p) {
    int is = p->stretches_n >= MOST || p->of_contexts.n >= MOST_SPENT || p->of_places.n >= MOST_SPENT ||
             p->of_named.n >= MOST_SPENT;
    for (uint32_t k = 0; k < p->metrics_n; k++) is |= p->metrics[k].of_contexts.n >= MOST_SPENT;
    return is;
}

/* ---- fewer stretches ---- */

static void add(nytp_stretch *to, const nytp_stretch *more) {
    to->end = more->end > to->end ? more->end : to->end;
    to->length = nytp_ticks_add(to->length, more->length);
    to->profiler = nytp_ticks_add(to->profiler, more->profiler);
    to->off = nytp_ticks_add(to->off, more->off);
    to->waited = nytp_ticks_add(to->waited, more->waited);
    to->outside = nytp_ticks_add(to->outside, more->outside);
}

static void move(nytp_spendings *all, const uint32_t *moved) {
    for (uint32_t i = 0; i < all->n; i++) all->at[i].stretch = moved[all->at[i].stretch];
    all->first = 0;
    sum_up(all);
}

/* Puts every two neighbours of a process together. `open` has for each process 1 + the index of its stretch that waits
 * for a second one, `moved` where each stretch has gone to. */
static void pair_up(nytp_profile *p, uint32_t *open, uint32_t *moved) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->stretches_n; i++) {
        uint32_t process = p->stretches[i].process;
        if (open[process]) {
            moved[i] = open[process] - 1;
            add(&p->stretches[moved[i]], &p->stretches[i]);
            open[process] = 0;
            continue;
        }
        moved[i] = n;
        p->stretches[n] = p->stretches[i];
        open[process] = ++n;
    }
    p->stretches_n = n;
    move(&p->of_contexts, moved);
    move(&p->of_places, moved);
    move(&p->of_named, moved);
    for (uint32_t k = 0; k < p->metrics_n; k++) move(&p->metrics[k].of_contexts, moved);
}

static enum nytp_code halve(nytp_loader *l) {
    uint32_t *open = calloc(l->p->processes_n + (size_t)1, sizeof *open);
    uint32_t *moved = calloc(l->p->stretches_n + (size_t)1, sizeof *moved);
    if (open && moved) pair_up(l->p, open, moved);
    int failed = !open || !moved;
    free(open);
    free(moved);
    return failed ? nytp_loader_no_memory(l) : NYTP_OK;
}

/* ---- records ---- */

/* In ns since the first process began. */
static uint64_t since_origin(const nytp_loader *l, const nytp_stream *s, int64_t ticks) {
    uint64_t at = nytp_stream_epoch(s, ticks);
    return at > l->origin ? at - l->origin : 0;
}

/* The end is told as for a range of time, so that both agree on the windows that are in a range. */
static enum nytp_code begin(nytp_loader *l, nytp_stream *s) {
    nytp_profile *p = l->p;
    sum_up_all(p);
    if (is_full(p) && halve(l)) return l->e->code;
    nytp_stretch *t = nytp_grow(&p->arena, &p->stretches, p->stretches_n, &p->stretches_room, sizeof *t);
    if (!t) return nytp_loader_no_memory(l);
    t->process = s->process;
    t->begin = since_origin(l, s, s->info.start);
    t->end = since_origin(l, s, s->info.end);
    if (t->end < t->begin) t->begin = t->end;
    t->length = nytp_stream_scaled(s, nytp_ticks_minus(s->info.end, s->info.start));
    s->stretch = ++p->stretches_n;
    s->stretch_of = s->chunk;
    return NYTP_OK;
}

/* Whether the chunk being read is part of a stretch, which is begun if it is new. */
static int is_within(nytp_loader *l, nytp_stream *s) {
    if (!l->options->keep_stretches || s->weight != 1 || s->info.end <= s->info.start) return 0;
    return s->stretch_of == s->chunk || !begin(l, s);
}

enum nytp_code nytp_stretches_window(nytp_loader *l, nytp_stream *s, const nytp_rec_window *w) {
    if (!is_within(l, s)) return l->e->code;
    nytp_stretch *t = &l->p->stretches[s->stretch - 1];
    int64_t own = nytp_ticks_add(nytp_ticks_add(w->subtracted, w->flush), w->cold);
    t->profiler = nytp_ticks_add(t->profiler, nytp_stream_scaled(s, own));
    t->off = nytp_ticks_add(t->off, nytp_stream_scaled(s, w->off));
    t->waited = nytp_ticks_add(t->waited, nytp_stream_scaled(s, w->waited));
    return NYTP_OK;
}

enum nytp_code nytp_stretches_outside(nytp_loader *l, nytp_stream *s, int64_t ticks) {
    if (!is_within(l, s)) return l->e->code;
    nytp_stretch *t = &l->p->stretches[s->stretch - 1];
    t->outside = nytp_ticks_add(t->outside, ticks);
    return NYTP_OK;
}

enum nytp_code nytp_stretches_charge(nytp_loader *l, nytp_stream *s, uint32_t node, int64_t ticks) {
    return ticks && is_within(l, s) ? spend(l, s, &l->p->of_contexts, node, ticks) : l->e->code;
}

enum nytp_code nytp_stretches_place(nytp_loader *l, nytp_stream *s, uint32_t place, int64_t ticks) {
    return ticks && is_within(l, s) ? spend(l, s, &l->p->of_places, place, ticks) : l->e->code;
}

enum nytp_code nytp_stretches_named(nytp_loader *l, nytp_stream *s, uint32_t named, int64_t value) {
    return value && is_within(l, s) ? spend(l, s, &l->p->of_named, named, value) : l->e->code;
}

enum nytp_code nytp_stretches_value(nytp_loader *l, nytp_stream *s, uint32_t metric, uint32_t node, int64_t value) {
    nytp_metric *m = &l->p->metrics[metric];
    return value && !m->adds && is_within(l, s) ? spend(l, s, &m->of_contexts, node, value) : l->e->code;
}

void nytp_stretches_finish(nytp_loader *l) {
    sum_up_all(l->p);
    if (l->is_sampled || l->is_seen) l->p->of_places.n = 0;
}
