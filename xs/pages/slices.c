/* SPDX-License-Identifier: MIT */
/* slices.c - puts stretches together until there are few enough, and adds up what passed in each. */
#include "pages/slices.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "report/kinds.h"
#include "report/units.h"

#define NONE NYTP_SLICES_NONE
#define MICROSECONDS 1000000u /* a second */

/* ---- lanes ---- */

typedef struct work {
    const nytp_profile *p;
    nytp_slices *s;
    int64_t *lengths;  /* by process */
    uint32_t *stretches; /* by lane: how many it has */
} work;

/* The process with most time behind the given one, in this order; NONE: there is no more. */
static uint32_t next_longest(const work *w, uint32_t last) {
    uint32_t best = NONE;
    for (uint32_t i = 0; i < w->p->processes_n; i++) {
        int64_t limit = last == NONE ? INT64_MAX : w->lengths[last];
        int is_behind = last == NONE || w->lengths[i] < limit || (w->lengths[i] == limit && i > last);
        if (w->lengths[i] > 0 && is_behind && (best == NONE || w->lengths[i] > w->lengths[best])) best = i;
    }
    return best;
}

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void choose_lanes(work *w) {
    nytp_slices *s = w->s;
    uint32_t with_time = 0;
    for (uint32_t i = 0; i < w->p->stretches_n; i++) {
        const nytp_stretch *t = &w->p->stretches[i];
        w->lengths[t->process] = nytp_ticks_add(w->lengths[t->process], t->length);
    }
    for (uint32_t i = 0; i < w->p->processes_n; i++) with_time += w->lengths[i] > 0;
    for (uint32_t at = next_longest(w, NONE); at != NONE && s->lanes_n < NYTP_SLICES_LANES; at = next_longest(w, at))
        s->lanes[s->lanes_n++] = at;
    s->left_out = with_time - s->lanes_n;
    qsort(s->lanes, s->lanes_n, sizeof *s->lanes, ascending);
}

static uint32_t lane_of(const nytp_slices *s, uint32_t process) {
    for (uint32_t i = 0; i < s->lanes_n; i++)
        if (s->lanes[i] == process) return i;
    return NONE;
}

/* ---- slices ---- */

static void extend(nytp_slices *s, nytp_piece *piece, const nytp_stretch *t) {
    if (!piece->length || t->begin < piece->begin) piece->begin = t->begin;
    if (t->end > piece->end) piece->end = t->end;
    if (t->begin < s->first) s->first = t->begin;
    if (t->end > s->last) s->last = t->end;
    piece->length = nytp_ticks_add(piece->length, t->length);
    piece->ticks[NYTP_PASSED_PROFILER] = nytp_ticks_add(piece->ticks[NYTP_PASSED_PROFILER], t->profiler);
    piece->ticks[NYTP_PASSED_OFF] = nytp_ticks_add(piece->ticks[NYTP_PASSED_OFF], t->off);
    piece->ticks[NYTP_PASSED_WAITING] = nytp_ticks_add(piece->ticks[NYTP_PASSED_WAITING], t->waited);
    piece->clients = nytp_ticks_add(piece->clients, t->waited);
}

/* A lane's slices have the same number of stretches each, but the last one. */
static void make_lane(work *w, uint32_t lane) {
    nytp_slices *s = w->s;
    uint32_t most = NYTP_SLICES_MOST / s->lanes_n, each = (w->stretches[lane] + most - 1) / most, seen = 0;
    for (uint32_t i = 0; i < w->p->stretches_n; i++) {
        const nytp_stretch *t = &w->p->stretches[i];
        if (t->process != s->lanes[lane]) continue;
        if (seen++ % each == 0) s->at[s->n++].lane = lane;
        w->s->slice_of[i] = s->n - 1;
        extend(s, &s->at[s->n - 1], t);
    }
}

static void make_slices(work *w) {
    for (uint32_t i = 0; i < w->p->stretches_n; i++) {
        uint32_t lane = lane_of(w->s, w->p->stretches[i].process);
        w->s->slice_of[i] = NONE;
        if (lane != NONE) w->stretches[lane]++;
    }
    w->s->first = UINT64_MAX;
    for (uint32_t lane = 0; lane < w->s->lanes_n; lane++) make_lane(w, lane);
}

/* ---- what passed ---- */

static enum nytp_passed passed_of(const nytp_sub *s) {
    switch (nytp_kinds_of_sub(s, NYTP_KIND_OWN)) {
    case NYTP_KIND_WAITING: return NYTP_PASSED_WAITING;
    case NYTP_KIND_IO: return NYTP_PASSED_IO;
    case NYTP_KIND_LOADING: return NYTP_PASSED_LOADING;
    default: return NYTP_PASSED_RUNNING;
    }
}

/* While perl compiles a main program, that is at no statement and in no call; statements may be unknown as a whole. */
static int64_t compiling(const nytp_profile *p, const nytp_stretch *t, int64_t of_main) {
    const nytp_process *process = &p->processes[t->process];
    if (process->id.front_end != NYTP_FRONT_PERL || process->is_uncounted || !p->totals.statements) return 0;
    return t->outside < of_main ? t->outside : of_main;
}

int64_t nytp_slices_compiling(const nytp_profile *p, uint32_t i) {
    const nytp_spent *all = p->of_contexts.at, *spent = &all[i];
    if (p->nodes[spent->of].sub != p->nodes[0].sub) return 0;
    for (uint32_t k = i; k > 0 && all[k - 1].stretch == spent->stretch; k--)
        if (p->nodes[all[k - 1].of].sub == p->nodes[0].sub) return 0; /* only the first has it */
    int64_t ticks = compiling(p, &p->stretches[spent->stretch], spent->value);
    return ticks > 0 ? ticks : 0;
}

static void add_spent(work *w) {
    const nytp_profile *p = w->p;
    for (uint32_t i = 0; i < p->of_contexts.n; i++) {
        const nytp_spent *spent = &p->of_contexts.at[i];
        if (w->s->slice_of[spent->stretch] == NONE) continue;
        nytp_piece *piece = &w->s->at[w->s->slice_of[spent->stretch]];
        enum nytp_passed what = passed_of(&p->subs[p->nodes[spent->of].sub]);
        int64_t loading = nytp_slices_compiling(p, i);
        piece->ticks[what] = nytp_ticks_add(piece->ticks[what], spent->value - loading);
        piece->ticks[NYTP_PASSED_LOADING] = nytp_ticks_add(piece->ticks[NYTP_PASSED_LOADING], loading);
    }
}

/* Running is the rest, so that the parts always add up. */
static void divide(nytp_slices *s) {
    for (uint32_t i = 0; i < s->n; i++) {
        nytp_piece *piece = &s->at[i];
        int64_t told = 0;
        for (int k = NYTP_PASSED_RUNNING + 1; k < NYTP_PASSED; k++) told = nytp_ticks_add(told, piece->ticks[k]);
        piece->ticks[NYTP_PASSED_RUNNING] = nytp_ticks_minus(piece->length, told);
        for (int k = 0; k < NYTP_PASSED; k++) s->sums[k] = nytp_ticks_add(s->sums[k], piece->ticks[k]);
    }
}

static void find(work *w) {
    choose_lanes(w);
    if (!w->s->lanes_n) return;
    make_slices(w);
    add_spent(w);
    divide(w->s);
}

int nytp_slices_find(nytp_slices *s, const nytp_profile *p) {
    uint32_t by_lane[NYTP_SLICES_LANES] = {0};
    memset(s, 0, sizeof *s);
    if (!p->stretches_n) return NYTP_OK;
    work w = {.p = p, .s = s, .stretches = by_lane};
    s->at = calloc(NYTP_SLICES_MOST, sizeof *s->at);
    w.lengths = calloc(p->processes_n + (size_t)1, sizeof *w.lengths);
    s->slice_of = calloc(p->stretches_n, sizeof *s->slice_of);
    int has_memory = s->at && s->slice_of && w.lengths;
    if (has_memory) find(&w);
    free(w.lengths);
    return has_memory ? NYTP_OK : NYTP_NOMEM;
}

void nytp_slices_put(nytp_buf *out, const nytp_slices *s, const nytp_profile *p) {
    uint64_t end = nytp_slices_us(s->first);
    nytp_buf_u(out, s->n);
    nytp_buf_u(out, NYTP_PASSED);
    nytp_buf_u(out, end);
    for (uint32_t i = 0; i < s->n; i++) {
        nytp_buf_i(out, (int64_t)(nytp_slices_us(s->at[i].end) - end));
        end = nytp_slices_us(s->at[i].end);
    }
    for (int k = 0; k < NYTP_PASSED; k++)
        for (uint32_t i = 0; i < s->n; i++) {
            int64_t ticks = s->at[i].ticks[k] > 0 ? s->at[i].ticks[k] : 0;
            nytp_buf_u(out, nytp_units_whole(ticks, p->ticks_per_second, MICROSECONDS));
        }
}

void nytp_slices_free(nytp_slices *s) {
    free(s->at);
    free(s->slice_of);
    memset(s, 0, sizeof *s);
}
