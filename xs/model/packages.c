/* SPDX-License-Identifier: MIT */
/* packages.c - sums of subs by package: the subs are sorted by package, so that those of one package are neighbours. */
#include "model/packages.h"

#include <stdlib.h>

#include "base/ticks.h"

typedef struct entry { /* a sub that was called */
    nytp_str package, name;
    uint32_t sub;
} entry;

static int by_package(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = nytp_str_cmp(x->package, y->package);
    if (!order) order = nytp_str_cmp(x->name, y->name);
    return order ? order : x->sub < y->sub ? -1 : 1;
}

/* The called subs by package and name. */
static uint32_t collect(const nytp_profile *p, entry *entries) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        if (s->moved == i && !(s->flags & NYTP_SUB_PHASE) && nytp_profile_sub_called(s))
            entries[n++] = (entry){s->package, s->name, i};
    }
    qsort(entries, n, sizeof *entries, by_package);
    return n;
}

/* best is the first sub of the package when this is first called. */
static void add_sub(nytp_package *to, const nytp_profile *p, uint32_t sub) {
    const nytp_sub *s = &p->subs[sub];
    to->n++;
    to->calls = nytp_ticks_add(to->calls, s->calls);
    to->exclusive = nytp_ticks_add(to->exclusive, s->exclusive);
    if (s->exclusive > p->subs[to->best].exclusive) to->best = sub;
}

enum nytp_code nytp_packages_find(nytp_packages *found, const nytp_profile *p) {
    entry *entries = malloc((p->subs_n + 1u) * sizeof *entries);
    found->at = nytp_arena_get(&found->arena, (p->subs_n + 1u) * sizeof *found->at);
    found->subs = nytp_arena_get(&found->arena, (p->subs_n + 1u) * sizeof *found->subs);
    int code = entries && found->at && found->subs ? NYTP_OK : NYTP_NOMEM;
    uint32_t n = code ? 0 : collect(p, entries);
    for (uint32_t i = 0; i < n; i++) {
        const entry *e = &entries[i];
        if (!i || !nytp_str_eq(e->package, entries[i - 1].package))
            found->at[found->n++] = (nytp_package){.name = e->package, .first = i, .best = e->sub};
        found->subs[i] = e->sub;
        add_sub(&found->at[found->n - 1], p, e->sub);
    }
    free(entries);
    return code;
}

static int most_first(const void *a, const void *b) {
    const nytp_package *x = a, *y = b;
    if (x->exclusive != y->exclusive) return x->exclusive > y->exclusive ? -1 : 1;
    return nytp_str_cmp(x->name, y->name);
}

void nytp_packages_rank(nytp_packages *found) {
    if (found->n) qsort(found->at, found->n, sizeof *found->at, most_first);
}

void nytp_packages_free(nytp_packages *found) {
    nytp_arena_free(&found->arena);
    *found = (nytp_packages){0};
}
