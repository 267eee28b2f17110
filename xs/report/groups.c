/* SPDX-License-Identifier: MIT */
/* groups.c - what the processes of a build have used, by groups. */
#include "report/groups.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/ticks.h"

static void add(nytp_group_sum *g, const nytp_build_process *p, uint32_t process) {
    uint64_t real = p->ended > p->began ? (uint64_t)nytp_ticks_minus(p->ended, p->began) : 0;
    if (!g->n++) g->first = process;
    g->failed += p->status != 0;
    g->real += real;
    if (real > g->longest) g->longest = real;
    g->user_us += p->own_user_us;
    g->system_us += p->own_system_us;
    if (p->max_rss_kb > g->max_rss_kb) g->max_rss_kb = p->max_rss_kb;
    g->blocks += p->blocks_in + p->blocks_out;
    g->switches += p->switches + p->forced_switches;
}

static int compare(const void *a, const void *b) {
    const nytp_group_sum *x = a, *y = b;
    uint64_t own = x->user_us + x->system_us, other = y->user_us + y->system_us;
    if (own != other) return own > other ? -1 : 1;
    if (x->real != y->real) return x->real > y->real ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

nytp_group_sum *nytp_groups_make(const nytp_build *b, const uint32_t *of, uint32_t keys, uint32_t none, uint32_t *n) {
    nytp_group_sum *groups = calloc(keys + 1u, sizeof *groups);
    *n = 0;
    for (uint32_t i = 0; groups && i < b->n; i++) {
        if (of[i] == none) continue;
        groups[of[i]].key = of[i];
        add(&groups[of[i]], &b->processes[i], i);
    }
    for (uint32_t i = 0; groups && i < keys; i++)
        if (groups[i].n) groups[(*n)++] = groups[i];
    if (groups) qsort(groups, *n, sizeof *groups, compare);
    return groups;
}

/* ---- what is common ---- */

typedef uint64_t find_key(const nytp_build *b, uint32_t process);

#define NO_KEY UINT64_MAX

static uint32_t *number(const nytp_build *b, find_key *key_of, uint32_t *keys) {
    uint32_t *of = malloc((b->n + 1u) * sizeof *of);
    nytp_map numbers = {0};
    int is_fine = of != NULL;
    *keys = 0;
    for (uint32_t i = 0; is_fine && i < b->n; i++) {
        uint64_t key = key_of(b, i);
        uint32_t *its = key == NO_KEY ? NULL : nytp_map_at(&numbers, key);
        is_fine = its || key == NO_KEY;
        if (its && !*its) *its = ++*keys;
        of[i] = its ? *its - 1 : NYTP_BUILD_NONE;
    }
    nytp_map_free(&numbers);
    if (is_fine) return of;
    free(of);
    return NULL;
}

static uint64_t command_of(const nytp_build *b, uint32_t process) {
    const nytp_build_process *p = &b->processes[process];
    return (uint64_t)p->command << 32 | p->directory;
}

uint32_t *nytp_groups_commands(const nytp_build *b, uint32_t *keys) { return number(b, command_of, keys); }

/* No process has a parent of the number with which the key of one alone begins. */
static uint64_t recipe_of(const nytp_build *b, uint32_t process) {
    const nytp_build_process *p = &b->processes[process];
    if (p->children || p->parent == NYTP_BUILD_NONE) return NO_KEY;
    return p->target ? (uint64_t)p->parent << 32 | p->target : (uint64_t)NYTP_BUILD_NONE << 32 | process;
}

uint32_t *nytp_groups_recipes(const nytp_build *b, uint32_t *keys) { return number(b, recipe_of, keys); }
