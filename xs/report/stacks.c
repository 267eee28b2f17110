/* SPDX-License-Identifier: MIT */
/* stacks.c - call paths as a tree of frames, found by parent and name, in arrays without recursion. */
#include "report/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "model/grow.h"
#include "model/metrics.h"
#include "report/names.h"
#include "report/page.h"

static uint32_t append(nytp_stacks *s, uint32_t parent, nytp_str name) {
    nytp_frame *f = s->n < UINT32_MAX ? nytp_grow(&s->arena, &s->at, s->n, &s->room, sizeof *f) : NULL;
    if (!f) return UINT32_MAX;
    *f = (nytp_frame){.name = name, .parent = parent};
    if (s->n) f->depth = s->at[parent].depth + 1;
    return s->n++;
}

static uint32_t push(nytp_stacks *s, uint32_t parent, nytp_str name, uint64_t hash) {
    if (!s->n && append(s, 0, NYTP_LIT("")) == UINT32_MAX) return UINT32_MAX;
    if (s->at[parent].depth >= NYTP_STACKS_DEEPEST) return parent;
    for (uint64_t key = hash ^ (uint64_t)parent * 0x9E3779B97F4A7C15u;; key++) {
        uint32_t *found = nytp_map_at(&s->frames, key);
        if (!found) return UINT32_MAX;
        if (!*found) return *found = append(s, parent, name);
        const nytp_frame *f = &s->at[*found];
        if (f->parent == parent && nytp_str_eq(f->name, name)) return *found;
    }
}

uint32_t nytp_stacks_push(nytp_stacks *s, uint32_t parent, nytp_str name) {
    return push(s, parent, name, nytp_str_hash(name));
}

/* ---- from a profile ---- */

typedef struct label { /* a sub's name */
    nytp_str text;
    uint64_t hash;
} label;

static nytp_str frame_name(nytp_stacks *s, nytp_buf *scratch, const nytp_sub *sub) {
    nytp_buf_clear(scratch);
    nytp_names_frame(scratch, sub);
    nytp_str name = nytp_page_bytes(scratch);
    return scratch->failed ? (nytp_str){NULL, 0} : nytp_arena_str(&s->arena, name);
}

static label *name_subs(nytp_stacks *s, const nytp_profile *p) {
    label *names = nytp_arena_get(&s->arena, p->subs_n * sizeof *names);
    nytp_buf scratch = {0};
    for (uint32_t i = 0; i < p->subs_n && names; i++) {
        names[i].text = frame_name(s, &scratch, &p->subs[i]);
        names[i].hash = nytp_str_hash(names[i].text);
        if (!names[i].text.p) names = NULL;
    }
    nytp_buf_free(&scratch);
    return names;
}

static int64_t value_of(const nytp_profile *p, const nytp_node *node, const nytp_stacks_options *options) {
    if (options->calls) return node->calls;
    return options->metric ? nytp_metrics_get(p, options->metric - 1, node->own) : node->exclusive;
}

static void count(nytp_frame *f, const nytp_profile *p, const nytp_node *node, const nytp_stacks_options *options) {
    int64_t value = value_of(p, node, options);
    f->self = nytp_ticks_add(f->self, value);
    if (value || (node->calls && !options->metric)) f->is_seen = 1;
}

/* A phase of the program, where perl itself calls, begins a path of its own, or is left out. */
static uint32_t frame_of(nytp_stacks *s, const nytp_profile *p, const nytp_node *node, uint32_t parent,
                         const label *is, int subs_only) {
    if (!(p->subs[node->sub].flags & NYTP_SUB_PHASE)) return push(s, parent, is->text, is->hash);
    return subs_only ? 0 : push(s, 0, is->text, is->hash);
}

int nytp_stacks_profile(nytp_stacks *s, const nytp_profile *p, const nytp_stacks_options *options) {
    label *names = name_subs(s, p);
    uint32_t *frames = malloc((size_t)p->nodes_n * sizeof *frames + 1);
    int code = names && frames && (s->n || append(s, 0, NYTP_LIT("")) == 0) ? NYTP_OK : NYTP_NOMEM;
    for (uint32_t i = 0; i < p->nodes_n && !code; i++) {
        const nytp_node *node = &p->nodes[i];
        frames[i] = frame_of(s, p, node, i ? frames[node->parent] : 0, &names[node->sub], options->subs_only);
        if (frames[i] == UINT32_MAX) code = NYTP_NOMEM;
        else count(&s->at[frames[i]], p, node, options);
    }
    free(frames);
    return code;
}

/* ---- order ---- */

typedef struct rank {
    uint32_t parent, frame;
    int64_t total;
    char key[12]; /* of RETURNS: compared as text, which is how nytprofcalls --stable has always done it */
    nytp_str name;
} rank;

static int compare(const void *a, const void *b) {
    const rank *x = a, *y = b;
    int keys = strcmp(x->key, y->key);
    if (x->parent != y->parent) return x->parent < y->parent ? -1 : 1;
    if (keys) return keys;
    if (x->total != y->total) return x->total > y->total ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

/* From the last to the first, so that each parent's children come out in the order of the n ranks. */
static void link_children(nytp_stacks *s, const rank *ranks, uint32_t n) {
    for (uint32_t i = 0; i < s->n; i++) s->at[i].child = 0;
    for (uint32_t i = n; i-- > 0;) {
        nytp_frame *f = &s->at[ranks[i].frame], *parent = &s->at[f->parent];
        f->next = parent->child;
        parent->child = ranks[i].frame;
    }
}

static void add_to_parent(nytp_stacks *s, const nytp_frame *f) {
    nytp_frame *parent = &s->at[f->parent];
    parent->total = nytp_ticks_add(parent->total, f->total);
    parent->delta_total = nytp_ticks_add(parent->delta_total, f->delta_total);
}

static void sum(nytp_stacks *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        s->at[i].total = s->at[i].self;
        s->at[i].delta_total = s->at[i].delta;
    }
    for (uint32_t i = s->n; i-- > 1;)
        if (!s->at[i].is_cut) add_to_parent(s, &s->at[i]);
}

void nytp_stacks_prune(nytp_stacks *s, double share) {
    sum(s);
    for (uint32_t i = s->n; i-- > 1;) {
        nytp_frame *f = &s->at[i], *parent = &s->at[f->parent];
        if (f->total >= (int64_t)((double)s->at[0].total * share)) continue;
        f->is_cut = 1;
        parent->self = nytp_ticks_add(parent->self, f->total);
        parent->delta = nytp_ticks_add(parent->delta, f->delta_total);
        parent->is_seen = 1;
    }
}

static uint32_t deepest_first(const nytp_stacks *s, uint32_t i) {
    while (s->at[i].child) i = s->at[i].child;
    return i;
}

/* Gives each name its number in the order in which frames are left for the last time. Children are linked in the order
 * of their making. */
static int number_returns(const nytp_stacks *s, nytp_map *numbers) {
    for (uint32_t i = deepest_first(s, 0); i; i = s->at[i].next ? deepest_first(s, s->at[i].next) : s->at[i].parent) {
        uint32_t *number = nytp_map_at(numbers, nytp_str_hash(s->at[i].name));
        if (!number) return NYTP_NOMEM;
        if (!*number) *number = numbers->n;
    }
    return NYTP_OK;
}

static int rank_by_returns(const nytp_stacks *s, rank *ranks, uint32_t n) {
    nytp_map numbers = {0};
    int code = number_returns(s, &numbers);
    for (uint32_t i = 0; i < n && !code; i++) {
        uint32_t number = nytp_map_get(&numbers, nytp_str_hash(ranks[i].name));
        snprintf(ranks[i].key, sizeof ranks[i].key, "%" PRIu32, number);
    }
    nytp_map_free(&numbers);
    return code;
}

static uint32_t rank_all(const nytp_stacks *s, rank *ranks, enum nytp_stacks_order order) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < s->n; i++) {
        if (s->at[i].is_cut) continue;
        ranks[n] = (rank){.parent = s->at[i].parent, .frame = i, .name = s->at[i].name};
        if (order == NYTP_STACKS_HEAVIEST) ranks[n].total = s->at[i].total;
        n++;
    }
    return n;
}

int nytp_stacks_sort(nytp_stacks *s, enum nytp_stacks_order order) {
    nytp_map_free(&s->frames);
    if (s->n < 2) return NYTP_OK;
    rank *ranks = calloc(s->n - 1, sizeof *ranks); /* pages that are not used do not exist */
    int code = NYTP_OK;
    if (!ranks) return NYTP_NOMEM;
    sum(s);
    uint32_t n = rank_all(s, ranks, order);
    link_children(s, ranks, n);
    if (order == NYTP_STACKS_RETURNS) code = rank_by_returns(s, ranks, n);
    if (!code) {
        qsort(ranks, n, sizeof *ranks, compare);
        link_children(s, ranks, n);
    }
    free(ranks);
    return code;
}

uint32_t nytp_stacks_next(const nytp_stacks *s, uint32_t i) {
    if (!s->n) return 0;
    if (s->at[i].child) return s->at[i].child;
    while (i && !s->at[i].next) i = s->at[i].parent;
    return s->at[i].next;
}

void nytp_stacks_free(nytp_stacks *s) {
    nytp_map_free(&s->frames);
    nytp_arena_free(&s->arena);
    *s = (nytp_stacks){0};
}
