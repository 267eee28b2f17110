/* SPDX-License-Identifier: MIT */
/* named.c - adds up spans and counts of one name, and finds quantiles in buckets. */
#include "model/named.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "capture/buckets.h"

#define MOST_NAMES 4000u /* spans of so many have 8 kB each */
#define MOST_MARKS 100000u

/* ---- records ---- */

static int is_same(const void *of, uint32_t number, const void *like) {
    const nytp_labelled *known = &((const nytp_profile *)of)->named[number - 1], *wanted = like;
    return known->of == wanted->of && nytp_str_eq(known->name, wanted->name);
}

/* The number, 0 if there is no room for it in the profile. */
static enum nytp_code number_of(nytp_loader *l, const nytp_labelled *wanted, uint32_t *number) {
    nytp_profile *p = l->p;
    uint64_t hash = nytp_str_hash(wanted->name) + wanted->of;
    *number = nytp_table_get(&l->named, hash, is_same, p, wanted);
    if (*number || p->named_n >= MOST_NAMES) return NYTP_OK;
    uint32_t *at = nytp_table_at(&l->named, hash, is_same, p, wanted);
    nytp_labelled *n = at ? nytp_grow(&p->arena, &p->named, p->named_n, &p->named_room, sizeof *n) : NULL;
    if (!n) return nytp_loader_no_memory(l);
    n->of = wanted->of;
    n->name = nytp_arena_str(&p->arena, wanted->name);
    if (!n->name.p) return nytp_loader_no_memory(l);
    *at = *number = ++p->named_n;
    return NYTP_OK;
}

enum nytp_code nytp_named_label(nytp_loader *l, nytp_stream *s, const nytp_rec_label *r) {
    nytp_labelled wanted = {.name = r->name, .of = (uint32_t)r->of};
    uint32_t number;
    if (r->of != NYTP_LABEL_SPAN && r->of != NYTP_LABEL_COUNT) return NYTP_OK;
    if (number_of(l, &wanted, &number)) return l->e->code;
    return !number || nytp_ids_set(&s->labels, r->id, number) ? NYTP_OK : nytp_loader_no_memory(l);
}

static nytp_labelled *known(const nytp_loader *l, const nytp_stream *s, uint64_t label) {
    uint32_t number = nytp_ids_get(&s->labels, label);
    return number ? &l->p->named[number - 1] : NULL;
}

/* Less than nothing is of a window that is taken back. */
enum nytp_code nytp_named_tally(const nytp_loader *l, const nytp_stream *s, const nytp_rec_tally *r) {
    nytp_labelled *n = known(l, s, r->label);
    if (!n) return NYTP_OK;
    n->count = nytp_ticks_add(n->count, r->count);
    n->sum = nytp_ticks_add(n->sum, n->of == NYTP_LABEL_SPAN ? nytp_stream_ns(s, r->sum) : r->sum);
    int64_t longest = nytp_stream_ns(s, r->longest);
    if (r->count <= 0 || n->of != NYTP_LABEL_SPAN || (n->began && longest <= n->longest)) return NYTP_OK;
    n->longest = longest;
    n->began = nytp_stream_epoch(s, r->began);
    n->process = s->process;
    return NYTP_OK;
}

static int make_buckets(nytp_arena *arena, nytp_labelled *n) {
    n->buckets = nytp_arena_get(arena, NYTP_BUCKETS * sizeof *n->buckets);
    if (n->buckets) memset(n->buckets, 0, NYTP_BUCKETS * sizeof *n->buckets);
    return n->buckets != NULL;
}

enum nytp_code nytp_named_bucket(nytp_loader *l, const nytp_stream *s, const nytp_rec_bucket *r) {
    nytp_labelled *n = known(l, s, r->label);
    if (!n || n->of != NYTP_LABEL_SPAN || r->bucket >= NYTP_BUCKETS) return NYTP_OK;
    if (!n->buckets && !make_buckets(&l->p->arena, n)) return nytp_loader_no_memory(l);
    n->buckets[r->bucket] = nytp_ticks_add(n->buckets[r->bucket], r->count);
    return NYTP_OK;
}

enum nytp_code nytp_named_mark(nytp_loader *l, const nytp_stream *s, const nytp_rec_mark *r) {
    nytp_profile *p = l->p;
    if (p->marks_n >= MOST_MARKS) return NYTP_OK;
    nytp_mark *m = nytp_grow(&p->arena, &p->marks, p->marks_n, &p->marks_room, sizeof *m);
    if (!m) return nytp_loader_no_memory(l);
    m->name = nytp_arena_str(&p->arena, r->name);
    if (!m->name.p) return nytp_loader_no_memory(l);
    m->at = nytp_stream_epoch(s, r->ticks);
    m->process = s->process;
    p->marks_n++;
    return NYTP_OK;
}

/* ---- for reports ---- */

static uint64_t sum_of(const nytp_labelled *n) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < NYTP_BUCKETS; i++)
        if (n->buckets[i] > 0) sum += (uint64_t)n->buckets[i];
    return sum;
}

/* The middle of the bucket in which the wanted one is. */
uint64_t nytp_named_quantile(const nytp_labelled *n, uint32_t thousandths) {
    uint64_t all = n->buckets ? sum_of(n) : 0, below = 0, most = n->longest > 0 ? (uint64_t)n->longest : 0;
    uint64_t rank = all / 1000 * thousandths + (all % 1000 * thousandths + 999) / 1000;
    for (uint32_t i = 0; all && i < NYTP_BUCKETS; i++) {
        if (n->buckets[i] > 0) below += (uint64_t)n->buckets[i];
        if (below < rank || !below) continue;
        uint64_t least = nytp_buckets_least(i), middle = least + (nytp_buckets_least(i + 1) - least) / 2;
        return middle < most ? middle : most;
    }
    return 0;
}

static int largest_first(const void *a, const void *b) {
    const nytp_labelled *x = *(const nytp_labelled *const *)a, *y = *(const nytp_labelled *const *)b;
    if (x->sum != y->sum) return x->sum < y->sum ? 1 : -1;
    return nytp_str_cmp(x->name, y->name);
}

const nytp_labelled **nytp_named_order(const nytp_profile *p, enum nytp_label_of of, uint32_t *n) {
    const nytp_labelled **order = malloc((p->named_n + (size_t)1) * sizeof *order);
    *n = 0;
    for (uint32_t i = 0; order && i < p->named_n; i++)
        if (p->named[i].of == (uint32_t)of && p->named[i].count > 0) order[(*n)++] = &p->named[i];
    if (*n) qsort(order, *n, sizeof *order, largest_first);
    return order;
}
