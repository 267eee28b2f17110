/* SPDX-License-Identifier: MIT */
/* cycles.c - the calls between each two subs, from the profile's edges; then groups; then their times. */
#include "model/cycles.h"

#include <stdlib.h>

#include "base/ticks.h"

/* ---- links ---- */

static int by_pair(const void *a, const void *b) {
    const nytp_calls *x = a, *y = b;
    if (x->caller != y->caller) return x->caller < y->caller ? -1 : 1;
    return x->callee < y->callee ? -1 : x->callee > y->callee;
}

static void add_link(nytp_calls *to, const nytp_calls *more) {
    to->calls = nytp_ticks_add(to->calls, more->calls);
    to->self = nytp_ticks_add(to->self, more->self);
    to->children = nytp_ticks_add(to->children, more->children);
}

/* perl itself calls a phase. */
static uint32_t copy_edges(nytp_calls *links, const nytp_profile *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->edges_n; i++) {
        const nytp_edge *e = &p->edges[i];
        if (p->subs[e->callee].flags & NYTP_SUB_PHASE) continue;
        links[n++] = (nytp_calls){e->caller, e->callee, e->calls, e->exclusive,
                                 nytp_ticks_minus(e->inclusive, e->exclusive)};
    }
    return n;
}

static enum nytp_code make_links(nytp_cycles *c, const nytp_profile *p) {
    c->links = nytp_arena_get(&c->arena, (p->edges_n + (size_t)1) * sizeof *c->links);
    if (!c->links) return NYTP_NOMEM;
    uint32_t copied = copy_edges(c->links, p);
    qsort(c->links, copied, sizeof *c->links, by_pair);
    for (uint32_t i = 0; i < copied; i++) {
        if (c->links_n && by_pair(&c->links[c->links_n - 1], &c->links[i]) == 0)
            add_link(&c->links[c->links_n - 1], &c->links[i]);
        else c->links[c->links_n++] = c->links[i];
    }
    return NYTP_OK;
}

/* Ranges of links, which are sorted by caller, and of their indexes by callee, by a counting sort. */
static void make_ranges(nytp_cycles *c, uint32_t subs) {
    uint32_t before = 0;
    for (uint32_t i = 0; i < c->links_n; i++) {
        nytp_slice *callees = &c->callees[c->links[i].caller];
        if (!callees->n++) callees->first = i;
        c->callers[c->links[i].callee].n++;
    }
    for (uint32_t i = 0; i < subs; i++) {
        c->callers[i].first = before;
        before += c->callers[i].n;
        c->callers[i].n = 0;
    }
    for (uint32_t i = 0; i < c->links_n; i++) {
        nytp_slice *callers = &c->callers[c->links[i].callee];
        c->by_callee[callers->first + callers->n++] = i;
    }
}

/* ---- groups ---- */

/* A sub on the search's path or waiting for its group; number 0: not met yet. A loop takes the place of recursion, as a
 * path may have every sub of the profile. */
typedef struct visit {
    uint32_t number, lowest; /* in the order of the search; the least number that can be reached */
    uint32_t next;           /* of its links, the next to follow */
    uint32_t from;           /* the sub that the search came from */
    uint32_t is_waiting;     /* 1: its group is not complete */
} visit;

typedef struct search {
    nytp_cycles *c;
    visit *visits;     /* per sub */
    uint32_t *waiting; /* subs, in the order of the search */
    uint32_t waiting_n, numbers, members_n;
} search;

static void enter(search *s, uint32_t sub, uint32_t from) {
    uint32_t number = ++s->numbers;
    s->visits[sub] = (visit){.number = number, .lowest = number, .next = s->c->callees[sub].first, .from = from,
                             .is_waiting = 1};
    s->waiting[s->waiting_n++] = sub;
}

/* The subs that wait since the given one was met are one group if none of them reaches an earlier one. */
static void leave(search *s, uint32_t sub) {
    nytp_cycles *c = s->c;
    nytp_group *g = &c->groups[c->groups_n];
    visit *from = &s->visits[s->visits[sub].from];
    if (from->lowest > s->visits[sub].lowest) from->lowest = s->visits[sub].lowest;
    if (s->visits[sub].lowest != s->visits[sub].number) return;
    g->subs.first = s->members_n;
    uint32_t member;
    do {
        member = s->waiting[--s->waiting_n];
        s->visits[member].is_waiting = 0;
        c->group[member] = c->groups_n;
        c->members[s->members_n++] = member;
        g->subs.n++;
    } while (member != sub);
    c->groups_n++;
}

/* The next sub to enter; the same if its links are done. */
static uint32_t follow(search *s, uint32_t sub) {
    visit *v = &s->visits[sub];
    const nytp_slice *all = &s->c->callees[sub];
    while (v->next < all->first + all->n) {
        uint32_t to = s->c->links[v->next++].callee;
        const visit *met = &s->visits[to];
        if (!met->number) return to;
        if (met->is_waiting && met->number < v->lowest) v->lowest = met->number;
    }
    return sub;
}

static void search_from(search *s, uint32_t first) {
    uint32_t sub = first;
    enter(s, first, first);
    for (;;) {
        uint32_t next = follow(s, sub);
        if (next != sub) {
            enter(s, next, sub);
            sub = next;
            continue;
        }
        leave(s, sub);
        if (sub == first) return;
        sub = s->visits[sub].from;
    }
}

static enum nytp_code make_groups(nytp_cycles *c, uint32_t subs) {
    search s = {.c = c, .visits = calloc(subs + (size_t)1, sizeof *s.visits),
                .waiting = calloc(subs + (size_t)1, sizeof *s.waiting)};
    int is_well = s.visits && s.waiting;
    for (uint32_t i = 0; i < subs && is_well; i++)
        if (!s.visits[i].number) search_from(&s, i);
    free(s.visits);
    free(s.waiting);
    return is_well ? NYTP_OK : NYTP_NOMEM;
}

/* ---- times ---- */

static void add_times(nytp_cycles *c, const nytp_profile *p) {
    for (uint32_t i = 0; i < p->subs_n; i++) {
        nytp_group *g = &c->groups[c->group[i]];
        g->self = nytp_ticks_add(g->self, p->subs[i].exclusive);
    }
    for (uint32_t i = 0; i < c->links_n; i++) {
        nytp_calls *l = &c->links[i];
        nytp_group *from = &c->groups[c->group[l->caller]], *to = &c->groups[c->group[l->callee]];
        int64_t ticks = nytp_ticks_add(l->self, l->children);
        if (from == to) {
            to->inner = nytp_ticks_add(to->inner, l->calls);
            l->self = l->children = 0;
            continue;
        }
        to->entered = nytp_ticks_add(to->entered, l->calls);
        from->children = nytp_ticks_add(from->children, ticks);
        c->children[l->caller] = nytp_ticks_add(c->children[l->caller], ticks);
    }
}

/* The links that enter a group with recursion share its own time. The last one gets the rest. */
static void share(nytp_cycles *c, const nytp_group *g) {
    int64_t own = g->self, whole = nytp_ticks_add(g->self, g->children);
    for (uint32_t i = 0; i < g->subs.n; i++) {
        nytp_slice callers = c->callers[c->members[g->subs.first + i]];
        for (uint32_t j = 0; j < callers.n; j++) {
            nytp_calls *l = &c->links[c->by_callee[callers.first + j]];
            int64_t ticks = nytp_ticks_add(l->self, l->children);
            if (whole <= 0 || !ticks) continue;
            l->self = nytp_ticks_whole((double)own * ((double)ticks / (double)whole));
            l->children = nytp_ticks_minus(ticks, l->self);
            own = nytp_ticks_minus(own, l->self);
            whole = nytp_ticks_minus(whole, ticks);
        }
    }
}

static int most_time_first(const void *a, const void *b) {
    const nytp_group *x = *(nytp_group *const *)a, *y = *(nytp_group *const *)b;
    int64_t of_x = nytp_ticks_add(x->self, x->children), of_y = nytp_ticks_add(y->self, y->children);
    if (of_x != of_y) return of_x > of_y ? -1 : 1;
    return x->subs.first < y->subs.first ? -1 : x->subs.first > y->subs.first;
}

static enum nytp_code number_cycles(nytp_cycles *c) {
    nytp_group **cycles = malloc((c->groups_n + (size_t)1) * sizeof(nytp_group *));
    uint32_t n = 0;
    if (!cycles) return NYTP_NOMEM;
    for (uint32_t i = 0; i < c->groups_n; i++)
        if (c->groups[i].subs.n > 1) cycles[n++] = &c->groups[i];
    if (n) qsort(cycles, n, sizeof *cycles, most_time_first);
    for (uint32_t i = 0; i < n; i++) cycles[i]->cycle = i + 1;
    free(cycles);
    return NYTP_OK;
}

static enum nytp_code get_memory(nytp_cycles *c, const nytp_profile *p) {
    size_t n = p->subs_n + (size_t)1;
    c->by_callee = nytp_arena_get(&c->arena, (c->links_n + (size_t)1) * sizeof *c->by_callee);
    c->callees = nytp_arena_get(&c->arena, n * sizeof *c->callees);
    c->callers = nytp_arena_get(&c->arena, n * sizeof *c->callers);
    c->children = nytp_arena_get(&c->arena, n * sizeof *c->children);
    c->group = nytp_arena_get(&c->arena, n * sizeof *c->group);
    c->groups = nytp_arena_get(&c->arena, n * sizeof *c->groups);
    c->members = nytp_arena_get(&c->arena, n * sizeof *c->members);
    int is_well = c->by_callee && c->callees && c->callers && c->children && c->group && c->groups && c->members;
    return is_well ? NYTP_OK : NYTP_NOMEM;
}

enum nytp_code nytp_cycles_find(nytp_cycles *c, const nytp_profile *p) {
    if (make_links(c, p) || get_memory(c, p)) return NYTP_NOMEM;
    make_ranges(c, p->subs_n);
    if (make_groups(c, p->subs_n)) return NYTP_NOMEM;
    add_times(c, p);
    for (uint32_t i = 0; i < c->groups_n; i++)
        if (c->groups[i].inner) share(c, &c->groups[i]);
    return number_cycles(c);
}

void nytp_cycles_free(nytp_cycles *c) {
    nytp_arena_free(&c->arena);
    *c = (nytp_cycles){0};
}
