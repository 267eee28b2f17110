/* SPDX-License-Identifier: MIT */
/* named.c - adds up spans and counts of one name, and the lengths of calls of one sub. */
#include "model/named.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/quantile.h"
#include "model/stretches.h"

#define MOST_NAMES 4000u
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
    if (r->of == NYTP_LABEL_CALLS && r->sub) {
        int is_kept = nytp_ids_set(&s->timed, r->id, nytp_loader_narrow(r->sub)) &&
                      nytp_ids_set(&s->timed_nodes, r->id, nytp_loader_narrow(r->node));
        return is_kept ? NYTP_OK : nytp_loader_no_memory(l);
    }
    if (r->of != NYTP_LABEL_SPAN && r->of != NYTP_LABEL_COUNT) return NYTP_OK;
    if (number_of(l, &wanted, &number)) return l->e->code;
    return !number || nytp_ids_set(&s->labels, r->id, number) ? NYTP_OK : nytp_loader_no_memory(l);
}

static nytp_labelled *known(const nytp_loader *l, const nytp_stream *s, uint64_t label) {
    uint32_t number = nytp_ids_get(&s->labels, label);
    return number ? &l->p->named[number - 1] : NULL;
}

/* The sub that a label of calls is for; NULL: it is none, or the sub's definition is lost. */
static nytp_sub *timed(const nytp_loader *l, const nytp_stream *s, uint64_t label) {
    uint32_t id = nytp_ids_get(&s->timed, label), index = id ? nytp_ids_get(&s->subs, id) : 0;
    return index ? &l->p->subs[index - 1] : NULL;
}

static nytp_lengths *make(nytp_loader *l, enum nytp_code *code) {
    nytp_lengths *new = nytp_arena_get(&l->p->arena, sizeof *new);
    if (!new) *code = nytp_loader_no_memory(l);
    else memset(new, 0, sizeof *new);
    return new;
}

/* Those of the call site that the label is for, likewise. */
static nytp_lengths *of_site(nytp_loader *l, const nytp_stream *s, uint64_t label, enum nytp_code *code) {
    nytp_profile *p = l->p;
    uint32_t id = nytp_ids_get(&s->timed_nodes, label), node = id ? nytp_ids_get(&s->nodes, id) : 0;
    if (!node) return NULL;
    uint32_t *number = nytp_map_at(&p->timed_nodes, node);
    if (number && *number) return p->timed[*number - 1];
    nytp_lengths **slot = number ? nytp_grow(&p->arena, &p->timed, p->timed_n, &p->timed_room, sizeof *slot) : NULL;
    if (!slot) *code = nytp_loader_no_memory(l);
    else if ((*slot = make(l, code)) != NULL) *number = ++p->timed_n;
    return slot ? *slot : NULL;
}

/* Those that the label is for, made if they are new; NULL: there are none, or memory is short, as the code says. */
static nytp_lengths *lengths(nytp_loader *l, const nytp_stream *s, uint64_t label, enum nytp_code *code) {
    nytp_labelled *n = known(l, s, label);
    if (n) return n->of == NYTP_LABEL_SPAN ? &n->all : NULL;
    nytp_sub *sub = timed(l, s, label);
    if (!sub || sub->lengths) return sub ? sub->lengths : NULL;
    l->p->is_timed = 1;
    return sub->lengths = make(l, code);
}

static void count(nytp_lengths *all, const nytp_rec_tally *r) {
    all->count = nytp_ticks_add(all->count, r->count);
    all->sum = nytp_ticks_add(all->sum, r->sum);
}

enum nytp_code nytp_named_tally(nytp_loader *l, nytp_stream *s, const nytp_rec_tally *r) {
    enum nytp_code code = NYTP_OK;
    nytp_labelled *n = known(l, s, r->label);
    nytp_lengths *to = lengths(l, s, r->label, &code), *of = of_site(l, s, r->label, &code);
    if (to) nytp_quantile_tally(to, s, r);
    else if (n) count(&n->all, r);
    if (of) nytp_quantile_tally(of, s, r);
    if (code || !n) return code;
    int64_t value = n->of == NYTP_LABEL_SPAN ? r->count : r->sum;
    return nytp_stretches_named(l, s, (uint32_t)(n - l->p->named), value);
}

enum nytp_code nytp_named_bucket(nytp_loader *l, const nytp_stream *s, const nytp_rec_bucket *r) {
    enum nytp_code code = NYTP_OK;
    nytp_lengths *to = lengths(l, s, r->label, &code), *of = of_site(l, s, r->label, &code);
    if (to && !nytp_quantile_bucket(&l->p->arena, to, r)) return nytp_loader_no_memory(l);
    return !of || nytp_quantile_bucket(&l->p->arena, of, r) ? code : nytp_loader_no_memory(l);
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

static int largest_first(const void *a, const void *b) {
    const nytp_labelled *x = *(const nytp_labelled *const *)a, *y = *(const nytp_labelled *const *)b;
    if (x->all.sum != y->all.sum) return x->all.sum < y->all.sum ? 1 : -1;
    return nytp_str_cmp(x->name, y->name);
}

const nytp_labelled **nytp_named_order(const nytp_profile *p, enum nytp_label_of of, uint32_t *n) {
    const nytp_labelled **order = malloc((p->named_n + (size_t)1) * sizeof *order);
    *n = 0;
    for (uint32_t i = 0; order && i < p->named_n; i++)
        if (p->named[i].of == (uint32_t)of && p->named[i].all.count > 0) order[(*n)++] = &p->named[i];
    if (*n) qsort(order, *n, sizeof *order, largest_first);
    return order;
}
