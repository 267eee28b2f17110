/* SPDX-License-Identifier: MIT */
/* critical.c - the chain of processes that a build has waited for. */
#include "model/critical.h"

#include <stdlib.h>

#include "base/ticks.h"

/* Processes by parent, of one parent the last to end first. */
typedef struct family {
    const nytp_build *b;
    uint32_t *children; /* those of process i from at[i] to at[i + 1]; those without a parent are process n's */
    uint32_t *at;
} family;

static uint32_t parent_of(const nytp_build *b, uint32_t i) {
    uint32_t parent = b->processes[i].parent;
    return parent == NYTP_BUILD_NONE ? b->n : parent;
}

typedef struct ended {
    int64_t at;
    uint32_t process;
} ended;

static int compare(const void *a, const void *b) {
    const ended *x = a, *y = b;
    if (x->at != y->at) return x->at > y->at ? -1 : 1;
    return x->process > y->process ? -1 : x->process < y->process;
}

static int sort(family *f, const nytp_build *b) {
    ended *order = malloc((b->n + 1u) * sizeof *order);
    f->b = b;
    f->children = malloc((b->n + 1u) * sizeof *f->children);
    f->at = calloc(b->n + 3u, sizeof *f->at);
    int is_fine = order && f->children && f->at;
    for (uint32_t i = 0; is_fine && i < b->n; i++) {
        order[i] = (ended){b->processes[i].ended, i};
        f->at[parent_of(b, i) + 2]++;
    }
    if (is_fine) qsort(order, b->n, sizeof *order, compare);
    for (uint32_t i = 0; is_fine && i <= b->n; i++) f->at[i + 2] += f->at[i + 1];
    for (uint32_t i = 0; is_fine && i < b->n; i++) f->children[f->at[parent_of(b, order[i].process) + 1]++] =
        order[i].process;
    free(order);
    return is_fine;
}

/* A process on the way down to the chain. */
typedef struct level {
    uint32_t process;
    uint32_t next;   /* of its children: an index */
    int64_t until;   /* the chain goes on with what ended until then */
    int32_t goes_on; /* 1: below it */
} level;

/* The next process below, back in time; NYTP_BUILD_NONE: there is none. */
static uint32_t next_below(const family *f, level *l) {
    while (l->next < f->at[l->process + 1]) {
        uint32_t child = f->children[l->next++];
        const nytp_build_process *p = &f->b->processes[child];
        if (p->ended > l->until || p->ended <= p->began) continue;
        l->until = p->began;
        l->goes_on = 1;
        return child;
    }
    return NYTP_BUILD_NONE;
}

static level begin(const family *f, uint32_t process) {
    int64_t until = process < f->b->n ? f->b->processes[process].ended : INT64_MAX;
    return (level){.process = process, .next = f->at[process], .until = until};
}

static void turn(uint32_t *list, uint32_t n) {
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t first = list[i];
        list[i] = list[n - 1 - i];
        list[n - 1 - i] = first;
    }
}

/* Processes without a parent are below one that is none, n. */
static void follow(nytp_critical *c, const family *f, level *levels) {
    const nytp_build *b = f->b;
    uint32_t depth = 0;
    levels[0] = begin(f, b->n);
    for (;;) {
        level *l = &levels[depth];
        uint32_t child = next_below(f, l);
        if (child != NYTP_BUILD_NONE) {
            levels[++depth] = begin(f, child);
            continue;
        }
        if (!l->goes_on && l->process < b->n) {
            const nytp_build_process *p = &b->processes[l->process];
            c->processes[c->n++] = l->process;
            c->length += (uint64_t)nytp_ticks_minus(p->ended, p->began);
        }
        if (!depth--) break;
    }
    turn(c->processes, c->n);
}

enum nytp_code nytp_critical_find(nytp_critical *c, const nytp_build *b) {
    family f;
    *c = (nytp_critical){.processes = malloc((b->n + 1u) * sizeof *c->processes)};
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < b->n; i++)
        if (b->processes[i].depth > deepest) deepest = b->processes[i].depth;
    level *levels = malloc((deepest + 3u) * sizeof *levels);
    int is_fine = sort(&f, b) && c->processes && levels;
    if (is_fine) follow(c, &f, levels);
    free(levels);
    free(f.children);
    free(f.at);
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

void nytp_critical_free(nytp_critical *c) {
    free(c->processes);
    *c = (nytp_critical){0};
}
