/* SPDX-License-Identifier: MIT */
/* sliced.c - adds up what each node of the call tree has of a slice, time or values of a metric, cuts what is too
 * small to be seen in it, and puts the rest. Only nodes with something in the slice are looked at: a tree may have a
 * million, and a slice a hundred. */
#include "pages/sliced.h"

#include <stdlib.h>

#include "base/ticks.h"
#include "report/kinds.h"
#include "report/units.h"

#define LEAST 1000      /* part of a slice that a node must have */
#define VALUES 1000000u /* approximate total of a metric: small counts are exact */

typedef struct sliced {
    const nytp_html *h;
    const nytp_calltree *t;
    nytp_buf *out;
    const nytp_spendings *spendings; /* times, or values of a metric */
    int is_time;
    uint64_t unit;
    uint32_t *first, *order;   /* the spendings of slice i: order[first[i]] to order[first[i + 1] - 1] */
    uint32_t *place;           /* by node: its number in the block */
    uint32_t *touched, n;      /* nodes with something in the current slice, and their ancestors */
    uint32_t *turn, turns;     /* by node: that of the last slice it was touched in, of so many turns */
    int64_t *self, *cut, *all; /* by node, in that slice; all: of nodes below that are not cut */
    uint32_t compiling, waiting; /* nodes with this time; 0: none */
} sliced;

/* ---- what is in which slice ---- */

static uint32_t slice_of(const sliced *d, uint32_t i) {
    return nytp_slices_of(&d->h->slices, &d->spendings->at[i]);
}

static void sort_spent(sliced *d) {
    uint32_t n = d->h->slices.n;
    for (uint32_t k = 0; k < n + 2; k++) d->first[k] = 0;
    for (uint32_t i = 0; i < d->spendings->n; i++)
        if (slice_of(d, i) != NYTP_SLICES_NONE) d->first[slice_of(d, i)]++;
    for (uint32_t k = 0; k < n; k++) d->first[k + 1] += d->first[k]; /* the ends, which the next loop moves */
    for (uint32_t i = d->spendings->n; i-- > 0;)
        if (slice_of(d, i) != NYTP_SLICES_NONE) d->order[--d->first[slice_of(d, i)]] = i;
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

static void touch(sliced *d, uint32_t i) {
    for (; d->turn[i] != d->turns; i = d->t->at[i].parent) {
        d->turn[i] = d->turns;
        d->self[i] = d->cut[i] = d->all[i] = 0;
        d->touched[d->n++] = i;
    }
}

/* What a pruned node has is cut from the nearest one that stays. */
static void charge(sliced *d, uint32_t i, int64_t value) {
    int64_t *column = d->t->at[i].is_cut ? d->cut : d->self;
    while (d->t->at[i].is_cut) i = d->t->at[i].parent;
    touch(d, i);
    column[i] = nytp_ticks_add(column[i], value);
}

/* Returns the sum. */
static int64_t charge_all(sliced *d, uint32_t slice) {
    const nytp_profile *p = d->h->p;
    int64_t sum = d->is_time && d->waiting ? d->h->slices.at[slice].clients : 0;
    if (sum) charge(d, d->waiting, sum);
    for (uint32_t k = d->first[slice]; k < d->first[slice + 1]; k++) {
        const nytp_spent *spent = &d->spendings->at[d->order[k]];
        int64_t compiling = d->is_time && d->compiling ? nytp_slices_compiling(p, d->order[k]) : 0;
        charge(d, d->h->contexts.to[spent->of], spent->value - compiling);
        if (compiling) charge(d, d->compiling, compiling);
        sum = nytp_ticks_add(sum, spent->value);
    }
    return sum;
}

static int last_first(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

/* From the last node on, as children come behind their parents: what is below zero is subtracted from the caller's,
 * and a node with less than `least` is cut from it. */
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

static uint64_t told(const sliced *d, int64_t value) { /* time in ns */
    uint64_t whole = value > 0 ? (uint64_t)value : 0;
    return d->is_time ? nytp_units_whole((int64_t)whole, d->h->p->ticks_per_second, NYTP_NANOSECONDS) : whole;
}

static uint64_t units_of(const sliced *d, int64_t value) { return (told(d, value) + d->unit / 2) / d->unit; }

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

/* Of time, or of a metric whose total that is. */
static int put_slices(sliced *d, const nytp_spendings *spent, int64_t total) {
    uint32_t n = d->t->n && spent->n ? d->h->slices.n : 0;
    int code = NYTP_OK;
    d->spendings = spent;
    d->is_time = spent == &d->h->p->of_contexts;
    d->unit = told(d, total) / (d->is_time ? nytp_slices_units(&d->h->slices) : VALUES) + 1;
    nytp_buf_u(d->out, n);
    if (!n) return NYTP_OK;
    sort_spent(d);
    nytp_buf_u(d->out, d->unit);
    for (uint32_t slice = 0; slice < n && !code; slice++) {
        d->n = 0;
        d->turns++;
        int64_t least = charge_all(d, slice) / LEAST;
        settle(d, least);
        code = put_slice(d);
    }
    return code;
}

static int put_all(sliced *d) {
    const nytp_html *h = d->h;
    int code = put_slices(d, &h->p->of_contexts, d->t->n ? d->t->at[0].total : 0);
    for (uint32_t k = 0; k < h->of_subs.n && !code; k++) {
        const nytp_contexts_metric *m = &h->contexts.metrics[k];
        if (m->self) code = put_slices(d, &h->p->metrics[h->of_subs.at[k]].of_contexts, m->total);
    }
    return code;
}

static uint32_t most_spent(const nytp_profile *p) {
    uint32_t most = p->of_contexts.n;
    for (uint32_t k = 0; k < p->metrics_n; k++)
        if (most < p->metrics[k].of_contexts.n) most = p->metrics[k].of_contexts.n;
    return most;
}

int nytp_sliced_put(nytp_buf *out, const nytp_html *h) {
    const nytp_calltree *t = &h->contexts.tree;
    sliced d = {.h = h, .t = t, .out = out};
    nytp_arena arena = {0};
    d.first = nytp_arena_get(&arena, (h->slices.n + (size_t)2) * sizeof *d.first);
    d.order = nytp_arena_get(&arena, (most_spent(h->p) + (size_t)1) * sizeof *d.order);
    uint32_t **const numbers[] = {&d.place, &d.touched, &d.turn};
    int64_t **const values[] = {&d.self, &d.cut, &d.all};
    int has_memory = d.first && d.order;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        *numbers[k] = nytp_arena_get(&arena, (t->n + (size_t)1) * sizeof **numbers[k]);
        *values[k] = nytp_arena_get(&arena, (t->n + (size_t)1) * sizeof **values[k]);
        has_memory = has_memory && *numbers[k] && *values[k];
    }
    if (has_memory && t->n) number_nodes(&d);
    int code = has_memory ? put_all(&d) : NYTP_NOMEM;
    nytp_arena_free(&arena);
    return code;
}
