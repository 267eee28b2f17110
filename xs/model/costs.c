/* SPDX-License-Identifier: MIT */
/* costs.c - deals the time of places to the subs in whose bodies they are, from inner bodies to outer ones.
 *
 * A place knows the first line of its sub, which may be that of a sub inside it, too: in `my $f = sub {` both have a
 * statement. So the time that a body's first and last lines have beyond that of its subs goes to the body around it,
 * and all time of a body that has none of its own, as the block of `first { ... }`. */
#include "model/costs.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/map.h"
#include "base/ticks.h"
#include "model/bodies.h"

typedef struct entry { /* a line's time within a body */
    uint32_t file, line;
    uint32_t next; /* of the body: 1 + index; 0 is none */
    int64_t count, ticks;
} entry;

typedef struct dealer {
    nytp_costs *to;
    const nytp_profile *p;
    nytp_bodies bodies;
    entry *entries;
    uint32_t entries_n, entries_room, rows_room;
    uint32_t *lists;   /* per body: 1 + its newest entry */
    uint32_t *owners;  /* per body: 1 + the body that is given its entries: itself, if a sub of it ran */
    uint32_t *homes;   /* per body: the last body of its file on the way to the owner */
    unsigned char *has_places; /* per body */
    uint32_t *waiting; /* per body: inner bodies not dealt yet, and itself */
    int64_t *left;     /* per sub: of its exclusive time */
    nytp_map known;    /* of body and line of its own file to 1 + entry */
    int32_t failed;    /* 1: memory was short */
} dealer;

static uint64_t above_zero(int64_t v) { return v > 0 ? (uint64_t)v : 0; }

/* all * part / whole, rounded down, bit by bit if the product has more than 64 bits. part is at most whole, but for
 * sums of a hostile capture that have wrapped round. */
static uint64_t share_of(uint64_t all, uint64_t part, uint64_t whole) {
    uint64_t quotient = 0, rest = 0;
    if (!whole) return 0;
    if (part > whole) part = whole;
    if (!part || all <= UINT64_MAX / part) return all * part / whole;
    for (int bit = 63; bit >= 0; bit--) {
        quotient *= 2;
        rest = 2 * rest + (all >> bit & 1 ? part : 0);
        for (; rest >= whole; rest -= whole) quotient++;
    }
    return quotient;
}

/* ---- the time of bodies, line by line ---- */

/* The main program is not called. */
static int has_run(const nytp_profile *p, const nytp_sub *s) { return s == p->subs || s->calls || s->exclusive; }

static int is_taken(const dealer *d, uint32_t body) {
    const nytp_slice *subs = &d->bodies.at[body].subs;
    for (uint32_t i = 0; i < subs->n; i++)
        if (has_run(d->p, &d->p->subs[d->bodies.subs[subs->first + i]])) return 1;
    return 0;
}

#define PASSED UINT32_MAX /* an owner that is being looked for */

/* A body that has no sub that ran keeps nothing, so its entries are the next body's from the beginning: bodies in
 * bodies do not pass them on one by one. Files that ran each other in a circle own themselves. */
static void find_owner(dealer *d, uint32_t body) {
    const nytp_body *at = d->bodies.at;
    uint32_t i = body;
    for (; i && !d->owners[i] && !is_taken(d, i); i = at[i].outer) d->owners[i] = PASSED;
    uint32_t owner = d->owners[i] && d->owners[i] != PASSED ? d->owners[i] : i + 1;
    for (i = body; d->owners[i] == PASSED; i = at[i].outer) d->owners[i] = owner;
    if (!d->owners[i]) d->owners[i] = owner;
}

/* Outer ranges are before inner ones, and files before ranges. */
static void find_owners(dealer *d) {
    const nytp_bodies *b = &d->bodies;
    for (uint32_t i = 0; i < b->n; i++) {
        find_owner(d, i);
        d->homes[i] = i < b->ranges[0] || d->owners[i] == i + 1 ? i : d->homes[b->at[i].outer];
    }
}

/* Only lines of the body's own file are met twice. */
static void add_entry(dealer *d, uint32_t body, uint32_t file, uint32_t line, int64_t count, int64_t ticks) {
    int is_own = d->bodies.at[body].file == file;
    uint32_t *known = is_own ? nytp_map_at(&d->known, (uint64_t)d->homes[body] << 32 | line) : NULL;
    uint32_t owner = d->owners[body] - 1;
    entry *e = known && *known ? &d->entries[*known - 1] : NULL;
    if (!e) {
        e = is_own && !known ? NULL : nytp_grow_owned(&d->entries, d->entries_n, &d->entries_room, sizeof *e);
        if (!e) {
            d->failed = 1;
            return;
        }
        *e = (entry){.file = file, .line = line, .next = d->lists[owner]};
        d->lists[owner] = ++d->entries_n;
        if (known) *known = d->entries_n;
    }
    e->count = nytp_ticks_add(e->count, count);
    e->ticks = nytp_ticks_add(e->ticks, ticks);
}

static void add_places(dealer *d) {
    for (uint32_t i = 0; i < d->p->places_n && !d->failed; i++) {
        const nytp_place *place = &d->p->places[i];
        if (!place->count && !place->ticks) continue;
        uint32_t body = nytp_bodies_of(&d->bodies, place);
        d->has_places[body] = 1;
        add_entry(d, body, place->file, place->line, place->count, place->ticks);
    }
}

/* 1 if no statement is known to be the sub's. */
static int is_without_statements(const dealer *d, uint32_t sub) {
    uint32_t body = d->bodies.of_sub[sub];
    return body == NYTP_BODIES_NONE || (body && !d->has_places[body]);
}

/* The body in which a call is made. */
static uint32_t calling_body(const dealer *d, const nytp_edge *e) {
    uint32_t body = d->bodies.of_sub[e->caller];
    if (body == NYTP_BODIES_NONE) return nytp_bodies_at(&d->bodies, e->file, e->line);
    return nytp_bodies_has(&d->bodies, body, e->file, e->line) ? body : e->file;
}

/* Which callees have no statements is known when all places are added, and before anything is subtracted. */
static enum nytp_code subtract_callees(dealer *d) {
    uint32_t n = d->p->subs_n;
    unsigned char *is_bare = malloc(n);
    if (!is_bare) return NYTP_NOMEM;
    for (uint32_t i = 0; i < n; i++) is_bare[i] = is_without_statements(d, i) != 0;
    for (uint32_t i = 0; i < d->p->edges_n && !d->failed; i++) {
        const nytp_edge *e = &d->p->edges[i];
        if (e->file && is_bare[e->callee] && e->exclusive)
            add_entry(d, calling_body(d, e), e->file, e->line, 0, nytp_ticks_minus(0, e->exclusive));
    }
    free(is_bare);
    return NYTP_OK;
}

/* ---- dealing ---- */

static void add_row(dealer *d, uint32_t sub, const entry *e, int64_t count, int64_t ticks) {
    if (!count && !ticks) return;
    nytp_cost *row = nytp_grow(&d->to->arena, &d->to->at, d->to->n, &d->rows_room, sizeof *row);
    d->failed |= !row;
    if (!row) return;
    *row = (nytp_cost){sub, e->file, e->line, count, ticks};
    d->to->n++;
    d->left[sub] = nytp_ticks_minus(d->left[sub], ticks);
}

/* The time of a body's lines: on its first and last ones other code may have a part. */
typedef struct supply {
    uint64_t inside, edges;
} supply;

static supply supply_of(const dealer *d, uint32_t body) {
    supply s = {0, 0};
    for (uint32_t i = d->lists[body]; i; i = d->entries[i - 1].next) {
        const entry *e = &d->entries[i - 1];
        if (nytp_bodies_is_edge(&d->bodies.at[body], e->file, e->line)) s.edges += above_zero(e->ticks);
        else s.inside += above_zero(e->ticks);
    }
    return s;
}

/* What a sub has of a sum over the subs of its body, and what those before it have. */
typedef struct portion {
    uint64_t before, own, whole;
} portion;

typedef struct turn { /* a sub's */
    uint32_t sub;
    int32_t is_first;      /* 1: the first of the body's subs that ran; gets the counts if no calls are known */
    portion time, calls;
} turn;

/* The parts of all subs add up to the amount. */
static uint64_t part_of(portion p, uint64_t amount) {
    return share_of(amount, p.before + p.own, p.whole) - share_of(amount, p.before, p.whole);
}

static int64_t count_of(const turn *t, int64_t count) {
    if (count < 0 || !t->calls.whole) return t->is_first ? count : 0;
    return (int64_t)part_of(t->calls, (uint64_t)count);
}

/* Many subs with one body have the same many lines: then each has parts of some of them, as all parts of all would be a
 * thousand times what the file has. */
#define MOST_PARTS (UINT64_C(1) << 20)

static int has_many_parts(const dealer *d, uint32_t body) {
    uint64_t lines = 0, subs = d->bodies.at[body].subs.n;
    for (uint32_t i = d->lists[body]; i; i = d->entries[i - 1].next) lines++;
    return subs > 1 && lines * subs > MOST_PARTS;
}

/* Takes the sub's time from the first lines that have some left, and their counts with it. */
static uint32_t take_some(dealer *d, uint32_t at, const nytp_sub *s) {
    uint64_t wanted = above_zero(s->exclusive);
    while (at && wanted && !d->failed) {
        entry *e = &d->entries[at - 1];
        uint64_t has = above_zero(e->ticks), part = has < wanted ? has : wanted;
        add_row(d, (uint32_t)(s - d->p->subs), e, e->count, (int64_t)part);
        e->count = 0;
        e->ticks = nytp_ticks_minus(e->ticks, (int64_t)part);
        wanted -= part;
        if (part == has) at = e->next;
    }
    return at;
}

/* Takes `wanted` from lines that have `all`, in proportion, and the sub's part of every count. */
static void take(dealer *d, uint32_t body, const turn *t, supply wanted, supply all) {
    supply seen = {0, 0};
    for (uint32_t i = d->lists[body]; i && !d->failed; i = d->entries[i - 1].next) {
        entry *e = &d->entries[i - 1];
        int is_edge = nytp_bodies_is_edge(&d->bodies.at[body], e->file, e->line);
        uint64_t *before = is_edge ? &seen.edges : &seen.inside;
        const portion of_all = {*before, above_zero(e->ticks), is_edge ? all.edges : all.inside};
        int64_t ticks = (int64_t)part_of(of_all, is_edge ? wanted.edges : wanted.inside);
        *before += of_all.own;
        e->ticks = nytp_ticks_minus(e->ticks, ticks);
        add_row(d, t->sub, e, count_of(t, e->count), ticks);
    }
}

static const nytp_sub *sub_at(const dealer *d, const nytp_body *b, uint32_t i) {
    return &d->p->subs[d->bodies.subs[b->subs.first + i]];
}

/* Sums over all subs of the body; none is before the first. */
static turn first_turn(const dealer *d, const nytp_body *b) {
    turn t = {0};
    for (uint32_t i = 0; i < b->subs.n; i++) {
        t.time.whole += above_zero(sub_at(d, b, i)->exclusive);
        t.calls.whole += above_zero(sub_at(d, b, i)->calls);
    }
    return t;
}

/* What is left of the counts is the first sub's. */
static int deal_some(dealer *d, uint32_t body) {
    const nytp_body *b = &d->bodies.at[body];
    for (uint32_t i = 0, at = d->lists[body]; i < b->subs.n; i++) at = take_some(d, at, sub_at(d, b, i));
    for (uint32_t i = d->lists[body]; i && !d->failed; i = d->entries[i - 1].next)
        add_row(d, d->bodies.subs[b->subs.first], &d->entries[i - 1], d->entries[i - 1].count, 0);
    return 1;
}

/* Returns 1 if a sub of the body has run, so that statements of the body are its own. */
static int deal_body(dealer *d, uint32_t body) {
    const nytp_body *b = &d->bodies.at[body];
    supply all = supply_of(d, body), wanted;
    turn t = first_turn(d, b);
    int has_taker = 0;
    if (has_many_parts(d, body)) return deal_some(d, body);
    wanted.inside = all.inside < t.time.whole ? all.inside : t.time.whole;
    wanted.edges = all.edges < t.time.whole - wanted.inside ? all.edges : t.time.whole - wanted.inside;
    for (uint32_t i = 0; i < b->subs.n; i++) {
        const nytp_sub *s = sub_at(d, b, i);
        t.sub = (uint32_t)(s - d->p->subs);
        t.is_first = !has_taker && has_run(d->p, s);
        has_taker |= t.is_first;
        t.time.own = above_zero(s->exclusive);
        t.calls.own = above_zero(s->calls);
        supply part = {part_of(t.time, wanted.inside), part_of(t.time, wanted.edges)};
        if (part.edges > t.time.own - part.inside) part.edges = t.time.own - part.inside; /* both may be rounded up */
        take(d, body, &t, part, all);
        all.inside -= part.inside;
        all.edges -= part.edges;
        t.time.before += t.time.own;
        t.calls.before += t.calls.own;
    }
    return has_taker;
}

/* Gives the body around this one what is not its own. */
static void pass_on(dealer *d, uint32_t body, int has_taker) {
    const nytp_body *b = &d->bodies.at[body];
    for (uint32_t i = d->lists[body]; i && !d->failed; i = d->entries[i - 1].next) {
        const entry e = d->entries[i - 1];
        if (has_taker && !(e.ticks && nytp_bodies_is_edge(b, e.file, e.line))) continue;
        add_entry(d, b->outer, e.file, e.line, has_taker ? 0 : e.count, e.ticks);
    }
}

static void finish_body(dealer *d, uint32_t body) {
    int has_taker = deal_body(d, body);
    if (body) pass_on(d, body, has_taker);
}

/* Inner bodies first. Files of a damaged capture may have run each other in a circle: then in any order. */
static void deal_all(dealer *d) {
    const nytp_bodies *b = &d->bodies;
    for (uint32_t i = 0; i < b->n; i++) {
        d->waiting[i]++;
        if (i) d->waiting[b->at[i].outer]++;
    }
    for (uint32_t i = 0; i < b->n && !d->failed; i++)
        for (uint32_t j = i; --d->waiting[j] == 0; j = b->at[j].outer) {
            finish_body(d, j);
            d->waiting[j] = UINT32_MAX;
            if (!j) break;
        }
    for (uint32_t i = b->n; i-- && !d->failed;)
        if (d->waiting[i] != UINT32_MAX) finish_body(d, i);
}

/* ---- rows ---- */

static int by_line(const void *a, const void *b) {
    const nytp_cost *x = a, *y = b;
    if (x->sub != y->sub) return x->sub < y->sub ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void tidy(nytp_costs *c, uint32_t subs_n) {
    uint32_t kept = 0, sub = 0;
    if (c->n) qsort(c->at, c->n, sizeof *c->at, by_line);
    for (uint32_t i = 0; i < c->n; i++) {
        if (!kept || by_line(&c->at[kept - 1], &c->at[i])) {
            while (sub <= c->at[i].sub) c->first[sub++] = kept;
            c->at[kept++] = c->at[i];
            continue;
        }
        c->at[kept - 1].count = nytp_ticks_add(c->at[kept - 1].count, c->at[i].count);
        c->at[kept - 1].ticks = nytp_ticks_add(c->at[kept - 1].ticks, c->at[i].ticks);
    }
    while (sub <= subs_n) c->first[sub++] = kept;
    c->n = kept;
}

static void add_first_lines(dealer *d) {
    for (uint32_t i = 0; i < d->p->subs_n && !d->failed; i++) {
        const nytp_sub *s = &d->p->subs[i];
        const entry first = {.file = s->file, .line = s->first_line};
        add_row(d, i, &first, 0, d->left[i]);
    }
}

static enum nytp_code deal(dealer *d) {
    uint32_t subs_n = d->p->subs_n;
    d->to->first = nytp_arena_get(&d->to->arena, (subs_n + 1u) * sizeof *d->to->first);
    if (nytp_bodies_find(&d->bodies, d->p)) return NYTP_NOMEM;
    d->lists = nytp_arena_get(&d->bodies.arena, d->bodies.n * sizeof *d->lists);
    d->waiting = nytp_arena_get(&d->bodies.arena, d->bodies.n * sizeof *d->waiting);
    d->left = nytp_arena_get(&d->bodies.arena, subs_n * sizeof *d->left);
    d->owners = nytp_arena_get(&d->bodies.arena, d->bodies.n * sizeof *d->owners);
    d->homes = nytp_arena_get(&d->bodies.arena, d->bodies.n * sizeof *d->homes);
    d->has_places = nytp_arena_get(&d->bodies.arena, d->bodies.n);
    if (!d->to->first || !d->lists || !d->waiting || !d->left || !d->owners || !d->homes || !d->has_places)
        return NYTP_NOMEM;
    find_owners(d);
    for (uint32_t i = 0; i < subs_n; i++) d->left[i] = d->p->subs[i].exclusive;
    add_places(d);
    if (d->failed || subtract_callees(d)) return NYTP_NOMEM;
    deal_all(d);
    add_first_lines(d);
    if (!d->to->at) d->to->at = nytp_arena_get(&d->to->arena, sizeof *d->to->at); /* an empty profile */
    if (d->failed || !d->to->at) return NYTP_NOMEM;
    tidy(d->to, subs_n);
    return NYTP_OK;
}

enum nytp_code nytp_costs_find(nytp_costs *c, const nytp_profile *p) {
    dealer d = {.to = c, .p = p};
    enum nytp_code code = deal(&d);
    nytp_bodies_free(&d.bodies);
    nytp_map_free(&d.known);
    free(d.entries);
    return code;
}

void nytp_costs_free(nytp_costs *c) {
    nytp_arena_free(&c->arena);
    *c = (nytp_costs){0};
}
