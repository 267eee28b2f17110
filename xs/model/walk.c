/* SPDX-License-Identifier: MIT */
/* walk.c - the lines of a file one after another. All lists of a file are sorted by line, so each is gone through
 * once. */
#include "model/walk.h"

nytp_walk nytp_walk_begin(const nytp_profile *p, const nytp_file *f) {
    return (nytp_walk){.p = p, .f = f, .subs = {f->subs.first, 0}, .calls = {f->calls.first, 0},
                       .evals = {f->evals.first, 0}};
}

static uint32_t call_line(const nytp_walk *w, uint32_t i) {
    return w->p->edges[w->p->sites[i]].line;
}

static uint32_t eval_line(const nytp_walk *w, uint32_t i) {
    return w->p->files[w->p->evals[i]].parent_line;
}

/* The first line of a sub; subs without source come last. */
static uint32_t sub_line(const nytp_walk *w, uint32_t i) {
    const nytp_sub *s = &w->p->subs[w->p->defined[i]];
    return s->file ? s->first_line : UINT32_MAX;
}

typedef uint32_t line_of(const nytp_walk *w, uint32_t i);

/* Moves a range to the entries of the walk's line, among all of the file. */
static void move_on(const nytp_walk *w, nytp_slice *at, nytp_slice all, line_of *line) {
    uint32_t end = all.first + all.n, i = at->first + at->n;
    while (i < end && line(w, i) < w->line) i++;
    at->first = i;
    while (i < end && line(w, i) == w->line) i++;
    at->n = i - at->first;
}

void nytp_walk_to(nytp_walk *w, uint32_t line) {
    w->line = line;
    for (int i = 0; i < NYTP_LEVELS; i++) w->level[i] = nytp_profile_line(w->f, (enum nytp_level)i, line);
    w->carrier = nytp_profile_carrier(w->f, line);
    move_on(w, &w->subs, w->f->subs, sub_line);
    move_on(w, &w->calls, w->f->calls, call_line);
    move_on(w, &w->evals, w->f->evals, eval_line);
}

int nytp_walk_empty(const nytp_walk *w) {
    return !w->level[0] && !w->level[1] && !w->level[2] && !w->carrier && !w->subs.n && !w->calls.n && !w->evals.n;
}

static uint32_t earlier(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t first_behind(const nytp_walk *w, nytp_slice at, nytp_slice all, line_of *line) {
    uint32_t i = at.first + at.n;
    return i < all.first + all.n ? line(w, i) : UINT32_MAX;
}

static uint32_t next_at_level(const nytp_lines *l, uint32_t line) {
    uint32_t i = nytp_profile_find(l->at, sizeof *l->at, l->n, line + 1);
    return i < l->n ? l->at[i].line : UINT32_MAX;
}

static uint32_t next_carried(const nytp_file *f, uint32_t line) {
    uint32_t i = nytp_profile_find(f->carried, sizeof *f->carried, f->carried_n, line + 1);
    return i < f->carried_n ? f->carried[i].line : UINT32_MAX;
}

uint32_t nytp_walk_next(const nytp_walk *w) {
    uint32_t next = next_carried(w->f, w->line);
    for (int i = 0; i < NYTP_LEVELS; i++) next = earlier(next, next_at_level(&w->f->level[i], w->line));
    next = earlier(next, first_behind(w, w->subs, w->f->subs, sub_line));
    next = earlier(next, first_behind(w, w->calls, w->f->calls, call_line));
    return earlier(next, first_behind(w, w->evals, w->f->evals, eval_line));
}
