/* SPDX-License-Identifier: MIT */
/* sliced.c - adds up the time of each node of the call tree in a slice, cuts what is too small to be seen in it, and
 * puts the rest. Only nodes with time in the slice are looked at: a tree may have a million, and a slice a hundred. */
#include "pages/sliced.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "report/kinds.h"
#include "report/units.h"

#define LEAST 1000 /* part of a slice that a node must have */

typedef struct sliced {
    const nytp_html *h;
    const nytp_calltree *t;
    nytp_buf *out;
    uint64_t unit;
    uint32_t *first, *times;   /* the profile's times of slice i: times[first[i]] to times[first[i + 1] - 1] */
    uint32_t *place;           /* by node: its number in the block */
    uint32_t *touched, n;      /* nodes with time in the current slice, and their ancestors */
    uint32_t *slice;           /* by node: 1 + the last slice that it was touched in */
    int64_t *self, *cut, *all; /* by node, in that slice; all: of nodes below that are not cut */
    uint32_t compiling, waiting; /* nodes with this time; 0: none */
} sliced;

/* ---- which times are in which slice ---- */

static uint32_t slice_of(const sliced *d, uint32_t i) {
    return nytp_slices_of(&d->h->slices, &d->h->p->of_contexts.at[i]);
}

static void sort_times(sliced *d) {
    uint32_t n = d->h->slices.n;
    for (uint32_t i = 0; i < d->h->p->of_contexts.n; i++)
        if (slice_of(d, i) != NYTP_SLICES_NONE) d->first[slice_of(d, i)]++;
    for (uint32_t k = 0; k < n; k++) d->first[k + 1] += d->first[k]; /* the ends, which the next loop moves */
    for (uint32_t i = d->h->p->of_contexts.n; i-- > 0;)
        if (slice_of(d, i) != NYTP_SLICES_NONE) d->times[--d->first[slice_of(d, i)]] = i;
}

/* Numbers nodes as in the block, and finds those of the program's activities. */
static void number_nodes(sliced *d) {
    const nytp_profile *p = d->h->p;
    uint32_t number = 0;
    for (uint32_t i = nytp_calltree_next(d->t, 0); i; i = nytp_calltree_next(d->t, i)) d->place[i] = ++number;
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_sub *s = &p->subs[p->nodes[i].sub];
        if (!(s->flags & NYTP_SUB_ACTIVITY)) continue;
        enum nytp_code_kind kind = nytp_kinds_of_sub(s, NYTP_KIND_OWN);
        if (kind == NYTP_KIND_LOADING && !d->compiling) d->compiling = d->h->contexts.to[i];
        if (kind == NYTP_KIND_WAITING && !d->waiting) d->waiting = d->h->contexts.to[i];
    }
}

/* ---- a slice ---- */

static void touch(sliced *d, uint32_t slice, uint32_t i) {
    for (; d->slice[i] != slice + 1; i = d->t->at[i].parent) {
        d->slice[i] = slice + 1;
        d->self[i] = d->cut[i] = d->all[i] = 0;
        d->touched[d->n++] = i;
    }
}

/* A pruned node's time is cut from the nearest one that stays. */
static void charge(sliced *d, uint32_t slice, uint32_t i, int64_t ticks) {
    int64_t *column = d->t->at[i].is_cut ? d->cut : d->self;
    while (d->t->at[i].is_cut) i = d->t->at[i].parent;
    touch(d, slice, i);
    column[i] = nytp_ticks_add(column[i], ticks);
}

/* Returns the sum. */
static int64_t charge_all(sliced *d, uint32_t slice) {
    const nytp_profile *p = d->h->p;
    int64_t sum = d->waiting ? d->h->slices.at[slice].clients : 0;
    if (sum) charge(d, slice, d->waiting, sum);
    for (uint32_t k = d->first[slice]; k < d->first[slice + 1]; k++) {
        const nytp_spent *spent = &p->of_contexts.at[d->times[k]];
        int64_t compiling = d->compiling ? nytp_slices_compiling(p, d->times[k]) : 0;
        charge(d, slice, d->h->contexts.to[spent->of], spent->ticks - compiling);
        if (compiling) charge(d, slice, d->compiling, compiling);
        sum = nytp_ticks_add(sum, spent->ticks);
    }
    return sum;
}

static int last_first(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* From the last node on, as children come behind their parents: a time below zero is subtracted from the caller's, and
 * a node with less than `least` is cut from it. */
static void settle(const sliced *d, int64_t least) {
    qsort(d->touched, d->n, sizeof *d->touched, last_first);
    for (uint32_t k = 0; k < d->n && d->touched[k]; k++) {
        uint32_t i = d->touched[k], parent = d->t->at[i].parent;
        if (d->self[i] < 0) {
            d->self[parent] = nytp_ticks_add(d->self[parent], d->self[i]);
            d->self[i] = 0;
        }
        int64_t total = nytp_ticks_add(d->self[i], nytp_ticks_add(d->cut[i], d->all[i]));
        int64_t *column = total < least ? d->cut : d->all;
        column[parent] = nytp_ticks_add(column[parent], total);
        if (total < least) d->self[i] = d->cut[i] = 0;
    }
}

/* ---- the part of the block ---- */

typedef struct entry {
    uint64_t key;   /* twice the node's number; with 1 more what is cut */
    uint64_t units;
} entry;

static int by_key(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static uint64_t units_of(const sliced *d, int64_t ticks) {
    uint64_t ns = nytp_units_whole(ticks, d->h->p->ticks_per_second, NYTP_NANOSECONDS);
    return ticks > 0 ? (ns + d->unit / 2) / d->unit : 0;
}

static uint32_t add_entry(entry *to, uint64_t key, uint64_t units) {
    *to = (entry){key, units};
    return units != 0;
}

static int put_slice(const sliced *d) {
    entry *all = malloc((2 * (size_t)d->n + 1) * sizeof *all);
    uint32_t n = 0;
    if (!all) return NYTP_NOMEM;
    for (uint32_t k = 0; k < d->n; k++) {
        uint32_t i = d->touched[k];
        n += add_entry(&all[n], 2 * (uint64_t)d->place[i], units_of(d, d->self[i]));
        n += add_entry(&all[n], 2 * (uint64_t)d->place[i] + 1, units_of(d, d->cut[i]));
    }
    qsort(all, n, sizeof *all, by_key);
    nytp_buf_u(d->out, n);
    for (uint32_t k = 0; k < n; k++) nytp_buf_u(d->out, all[k].key - (k ? all[k - 1].key : 0));
    for (uint32_t k = 0; k < n; k++) nytp_buf_u(d->out, all[k].units);
    free(all);
    return NYTP_OK;
}

static int put_slices(sliced *d) {
    int code = NYTP_OK;
    sort_times(d);
    number_nodes(d);
    nytp_buf_u(d->out, d->unit);
    for (uint32_t slice = 0; slice < d->h->slices.n && !code; slice++) {
        d->n = 0;
        int64_t least = charge_all(d, slice) / LEAST;
        settle(d, least);
        code = put_slice(d);
    }
    return code;
}

int nytp_sliced_put(nytp_buf *out, const nytp_html *h) {
    const nytp_calltree *t = &h->contexts.tree;
    sliced d = {.h = h, .t = t, .out = out};
    uint32_t n = t->n && h->p->of_contexts.n ? h->slices.n : 0;
    nytp_buf_u(out, n);
    if (!n) return NYTP_OK;
    nytp_arena arena = {0};
    uint64_t whole = nytp_units_whole(t->at[0].total, h->p->ticks_per_second, NYTP_NANOSECONDS);
    d.unit = whole / nytp_slices_units(&h->slices) + 1;
    d.first = nytp_arena_get(&arena, (n + (size_t)2) * sizeof *d.first);
    d.times = nytp_arena_get(&arena, (size_t)h->p->of_contexts.n * sizeof *d.times);
    uint32_t **const numbers[] = {&d.place, &d.touched, &d.slice};
    int64_t **const values[] = {&d.self, &d.cut, &d.all};
    int has_memory = d.first && d.times;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        *numbers[k] = nytp_arena_get(&arena, (size_t)t->n * sizeof **numbers[k]);
        *values[k] = nytp_arena_get(&arena, (size_t)t->n * sizeof **values[k]);
        has_memory = has_memory && *numbers[k] && *values[k];
    }
    int code = has_memory ? put_slices(&d) : NYTP_NOMEM;
    nytp_arena_free(&arena);
    return code;
}
