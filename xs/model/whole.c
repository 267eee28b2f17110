/* SPDX-License-Identifier: MIT */
/* whole.c - rounds the times of contexts, places and processes. */
#include "model/whole.h"

#include <stdlib.h>

#include "base/ticks.h"

/* Whole seconds and the rest separately, so that no product overflows. */
static int64_t rounded(const nytp_profile *p, int64_t ticks) {
    uint64_t rate = p->ticks_per_second, t = ticks < 0 ? 0 - (uint64_t)ticks : (uint64_t)ticks;
    int64_t ns = (int64_t)(t / rate * NYTP_NANOSECONDS + (t % rate * NYTP_NANOSECONDS + rate / 2) / rate);
    return ticks < 0 ? nytp_ticks_minus(0, ns) : ns;
}

static void round_edge(const nytp_profile *p, nytp_edge *e) {
    e->exclusive = rounded(p, e->exclusive);
    e->inclusive = rounded(p, e->inclusive);
    e->recursive = rounded(p, e->recursive);
    e->outer = rounded(p, e->outer);
}

static void round_process(const nytp_profile *p, nytp_process *process) {
    int64_t *const times[] = {&process->elapsed, &process->subtracted, &process->flush, &process->off,
                              &process->waited, &process->cold, &process->outside};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) *times[i] = rounded(p, *times[i]);
}

/* A file of format 5 has a sub's time twice, by paths and by callers, each rounded: the difference goes to one caller.
 * A sub without paths keeps what callers say. */
static enum nytp_code agree(nytp_profile *p) {
    int64_t *more = calloc(p->subs_n, sizeof *more); /* by paths than by callers */
    unsigned char *has_path = calloc(p->subs_n, 1);
    int failed = !more || !has_path;
    for (uint32_t i = 1; i < p->nodes_n && !failed; i++) {
        const nytp_node *node = &p->nodes[i];
        if (node->line != NYTP_LINE_UNKNOWN) continue;
        has_path[node->sub] = 1;
        more[node->sub] = nytp_ticks_add(more[node->sub], node->exclusive);
    }
    for (uint32_t i = 0; i < p->edges_n && !failed; i++)
        more[p->edges[i].callee] = nytp_ticks_minus(more[p->edges[i].callee], p->edges[i].exclusive);
    for (uint32_t i = 0; i < p->edges_n && !failed; i++) {
        uint32_t callee = p->edges[i].callee;
        if (!has_path[callee]) continue;
        p->edges[i].exclusive = nytp_ticks_add(p->edges[i].exclusive, more[callee]);
        more[callee] = 0;
    }
    free(has_path);
    free(more);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

/* Time below zero, from overcorrection, is subtracted from the caller's, so that the total stays. */
static void settle(nytp_profile *p) {
    for (uint32_t i = p->nodes_n; i-- > 0;) {
        nytp_node *node = &p->nodes[i], *caller = &p->nodes[node->parent];
        if (node->exclusive >= 0) continue;
        if (i) caller->exclusive = nytp_ticks_add(caller->exclusive, node->exclusive);
        node->exclusive = 0;
    }
}

/* A time becomes the difference of two rounded sums. So the total is the rounded total, whether the contexts of several
 * processes are added up or apart. */
static void round_nodes(nytp_profile *p, float scale) {
    int64_t ticks = 0, before = 0;
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        nytp_node *node = &p->nodes[i];
        ticks = nytp_ticks_add(ticks, node->exclusive);
        int64_t ns = rounded(p, ticks);
        node->exclusive = ns > before ? nytp_ticks_minus(ns, before) : 0;
        before = ns;
        node->sampled = rounded(p, node->sampled);
        node->spread *= scale;
    }
}

/* Likewise, but that a time may be below zero: with the time outside statements they have the rounded total, too. To be
 * called before processes are rounded. */
static void round_places(nytp_profile *p, float scale) {
    int64_t ticks = 0, before = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        ticks = nytp_ticks_add(ticks, p->processes[i].outside);
        before = nytp_ticks_add(before, rounded(p, p->processes[i].outside));
    }
    for (uint32_t i = 0; i < p->places_n; i++) {
        nytp_place *place = &p->places[i];
        place->spread *= scale;
        place->variance *= scale * scale;
        if (!place->ticks) continue; /* the place of lost ones, too, which is not to get a remainder */
        ticks = nytp_ticks_add(ticks, place->ticks);
        int64_t ns = rounded(p, ticks);
        place->ticks = nytp_ticks_minus(ns, before);
        before = ns;
    }
}

enum nytp_code nytp_whole_round(nytp_profile *p) {
    float scale = (float)NYTP_NANOSECONDS / (float)p->ticks_per_second;
    settle(p);
    round_nodes(p, scale);
    round_places(p, scale);
    for (uint32_t i = 0; i < p->edges_n; i++) round_edge(p, &p->edges[i]);
    for (uint32_t i = 0; i < p->processes_n; i++) round_process(p, &p->processes[i]);
    p->ticks_per_second = NYTP_NANOSECONDS;
    return agree(p);
}
