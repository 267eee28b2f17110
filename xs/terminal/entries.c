/* SPDX-License-Identifier: MIT */
/* entries.c - the entries of gprof's call graph, in their order. */
#include "terminal/entries.h"

#include <stdlib.h>

#include "base/ticks.h"

static int has_entry(const nytp_entries *all, const nytp_profile *p, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    return all->c.callers[sub].n || all->c.callees[sub].n || s->calls || s->exclusive;
}

static int most_time_first(const void *a, const void *b) {
    const nytp_entry *x = a, *y = b;
    if (x->ticks != y->ticks) return x->ticks > y->ticks ? -1 : 1;
    if (x->group != y->group) return x->group > y->group ? -1 : 1; /* callers before callees */
    return x->sub > y->sub ? -1 : x->sub < y->sub;                 /* a cycle before its members */
}

static void add_entries(nytp_entries *all, const nytp_profile *p) {
    for (uint32_t i = 0; i < p->subs_n; i++) {
        if (!has_entry(all, p, i)) continue;
        int64_t ticks = nytp_ticks_add(p->subs[i].exclusive, all->c.children[i]);
        all->at[all->n++] = (nytp_entry){i, all->c.group[i], p->subs[i].exclusive, all->c.children[i], ticks, 0};
    }
    for (uint32_t i = 0; i < all->c.groups_n; i++) {
        const nytp_group *of = &all->c.groups[i];
        if (!of->cycle) continue;
        int64_t ticks = nytp_ticks_add(of->self, of->children);
        all->at[all->n++] = (nytp_entry){NYTP_ENTRY_CYCLE, i, of->self, of->children, ticks, 0};
    }
    qsort(all->at, all->n, sizeof *all->at, most_time_first);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->at[i].sub != NYTP_ENTRY_CYCLE) all->of_sub[all->at[i].sub] = i + 1;
}

/* A cycle is chosen with any of its members. */
static int is_chosen(const nytp_entries *all, const nytp_selection *s, const nytp_entry *e) {
    if (!nytp_selection_shows(s, e->ticks)) return 0;
    if (e->sub != NYTP_ENTRY_CYCLE) return nytp_selection_has(s, e->sub);
    nytp_slice subs = all->c.groups[e->group].subs;
    for (uint32_t i = 0; i < subs.n; i++)
        if (nytp_selection_has(s, all->c.members[subs.first + i])) return 1;
    return 0;
}

static void choose(nytp_entries *all, const nytp_selection *s) {
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < all->n && chosen < s->top; i++)
        chosen += (uint32_t)(all->at[i].is_shown = is_chosen(all, s, &all->at[i]));
}

enum nytp_code nytp_entries_make(nytp_entries *all, const nytp_profile *p, const nytp_selection *s) {
    size_t subs = p->subs_n + (size_t)1; /* and at most as many cycles */
    if (nytp_cycles_find(&all->c, p)) return NYTP_NOMEM;
    all->at = nytp_arena_get(&all->c.arena, 2 * subs * sizeof *all->at);
    all->of_sub = nytp_arena_get(&all->c.arena, subs * sizeof *all->of_sub);
    if (!all->at || !all->of_sub) return NYTP_NOMEM;
    add_entries(all, p);
    choose(all, s);
    return NYTP_OK;
}

void nytp_entries_free(nytp_entries *all) {
    nytp_cycles_free(&all->c);
    *all = (nytp_entries){0};
}
