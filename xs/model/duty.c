/* SPDX-License-Identifier: MIT */
/* duty.c - lines of runs that traced them now and then (option duty): scales the sample up to the whole.
 *
 * The time of functions is known exactly. A function's time, with that of the C functions it calls, is shared out among
 * its sampled lines in proportion to their sampled time; counts grow by the same factor. A function without a sample
 * has its time in its first line. So the lines' times add up to the functions'. */
#include "model/duty.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/ticks.h"
#include "model/notes.h"

typedef struct group { /* functions of a file that begin in one line */
    uint32_t file, line;
    int64_t time;           /* exactly */
    int64_t seen, count;    /* of its places, without times below zero */
    int64_t dealt, given;   /* shared out so far: of seen (or count), and of time */
} group;

typedef struct groups {
    group *at;
    uint32_t n;
    nytp_map by_line;
    nytp_profile *p;
} groups;

static group *group_of(groups *all, uint32_t file, uint32_t line) {
    uint32_t *number = nytp_map_at(&all->by_line, (uint64_t)file << 32 | line);
    if (!number) return NULL;
    if (!*number) {
        all->at[all->n] = (group){.file = file, .line = line};
        *number = ++all->n;
    }
    return &all->at[*number - 1];
}

static group *known_group(const groups *all, const nytp_place *place) {
    return &all->at[nytp_map_get(&all->by_line, (uint64_t)place->file << 32 | place->sub_line) - 1];
}

static int is_seen(const nytp_place *place) { return place->seen || place->seen_ticks; }

static int64_t positive(int64_t v) { return v > 0 ? v : 0; }

/* Adds the time of nodes to groups: that of a C function belongs to the lines of its caller. */
static enum nytp_code add_nodes(groups *all) {
    const nytp_profile *p = all->p;
    uint32_t *owner = calloc(p->nodes_n, sizeof *owner);
    int failed = !owner;
    for (uint32_t i = 1; i < p->nodes_n && !failed; i++) {
        const nytp_node *node = &p->nodes[i];
        owner[i] = p->subs[node->sub].file ? i : owner[node->parent];
        if (!node->sampled || !owner[i]) continue;
        const nytp_sub *s = &p->subs[p->nodes[owner[i]].sub];
        group *g = group_of(all, s->file, s->first_line);
        if (g) g->time = nytp_ticks_add(g->time, node->sampled);
        failed = !g;
    }
    free(owner);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

static enum nytp_code add_places(groups *all) {
    const nytp_profile *p = all->p;
    for (uint32_t i = 1; i < p->places_n; i++) {
        const nytp_place *place = &p->places[i];
        if (!is_seen(place)) continue;
        group *g = group_of(all, place->file, place->sub_line);
        if (!g) return NYTP_NOMEM;
        g->seen = nytp_ticks_add(g->seen, positive(place->seen_ticks));
        g->count = nytp_ticks_add(g->count, positive(place->seen));
    }
    return NYTP_OK;
}

/* The factor for counts. A line takes at least a nanosecond, even if less is left after the profiler's cost is
 * subtracted. */
static double growth_of(const group *g, uint64_t ticks_per_second) {
    double growth = g->seen > 0 ? (double)g->time / (double)g->seen : 1;
    double most = g->count > 0 ? (double)g->time / (double)ticks_per_second * 1e9 / (double)g->count : 1;
    if (growth > most) growth = most;
    return growth > 1 ? growth : 1;
}

/* The rest of rounding is carried from place to place, so that a group's time is used up. Lines too short to be timed
 * share by their counts. */
static void deal(group *g, nytp_place *place, uint64_t ticks_per_second) {
    int64_t whole = g->seen > 0 ? g->seen : g->count;
    int64_t part = positive(g->seen > 0 ? place->seen_ticks : place->seen);
    g->dealt = nytp_ticks_add(g->dealt, part);
    int64_t due = whole > 0 ? nytp_ticks_whole((double)g->time * ((double)g->dealt / (double)whole)) : 0;
    place->ticks = nytp_ticks_add(place->ticks, nytp_ticks_minus(due, g->given));
    place->count = nytp_ticks_add(place->count, nytp_ticks_whole((double)place->seen * growth_of(g, ticks_per_second)));
    g->given = due;
}

static enum nytp_code deal_all(groups *all, nytp_intern *in) {
    nytp_profile *p = all->p;
    for (uint32_t i = 1; i < p->places_n; i++)
        if (is_seen(&p->places[i])) deal(known_group(all, &p->places[i]), &p->places[i], p->ticks_per_second);
    for (uint32_t i = 0; i < all->n; i++) {
        const group *g = &all->at[i];
        nytp_place first = {.file = g->file, .line = g->line, .block_line = g->line, .sub_line = g->line};
        uint32_t place = g->given == g->time ? 0 : nytp_intern_place(in, &first);
        if (place == NYTP_INTERN_FAILED) return NYTP_NOMEM;
        if (place) p->places[place].ticks = nytp_ticks_add(p->places[place].ticks, nytp_ticks_minus(g->time, g->given));
    }
    return NYTP_OK;
}

static enum nytp_code tell(const groups *all) {
    nytp_profile *p = all->p;
    double seen = 0, time = 0;
    char text[200];
    for (uint32_t i = 0; i < all->n; i++) {
        seen += (double)all->at[i].seen;
        time += (double)all->at[i].time;
    }
    snprintf(text, sizeof text, "Lines were traced for %.2g %% of the time (option duty): their counts and times are "
             "estimates. Calls and the times of functions are exact.", time > seen ? 100 * seen / time : 100);
    p->estimate = nytp_arena_str(&p->arena, nytp_str_c(text));
    nytp_notes_add(p, "%s", text);
    return p->estimate.p ? NYTP_OK : NYTP_NOMEM;
}

enum nytp_code nytp_duty_estimate(nytp_profile *p, nytp_intern *in) {
    groups all = {.at = calloc((size_t)p->subs_n + p->places_n, sizeof(group)), .p = p};
    int failed = !all.at || add_nodes(&all) || add_places(&all) || deal_all(&all, in) || tell(&all);
    nytp_map_free(&all.by_line);
    free(all.at);
    return failed ? NYTP_NOMEM : NYTP_OK;
}
