/* SPDX-License-Identifier: MIT */
/* profile.c - lookups in a finished profile. Lines are sorted, so all of them are binary searches. */
#include "model/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"

void nytp_profile_close(nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++) free(p->processes[i].spans);
    nytp_arena_free(&p->arena);
    nytp_buf_free(&p->text);
    nytp_map_free(&p->timed_nodes);
    memset(p, 0, sizeof *p);
}

nytp_str nytp_profile_value(const nytp_profile *p, uint32_t kind, const char *key) {
    nytp_str wanted = nytp_str_c(key);
    for (uint32_t i = 0; i < p->pairs_n; i++)
        if (p->pairs[i].kind == kind && nytp_str_eq(p->pairs[i].key, wanted)) return p->pairs[i].value;
    return nytp_str_c(NULL);
}

nytp_str nytp_profile_property(const nytp_profile *p, uint32_t process, nytp_str key) {
    for (uint32_t i = 0; i < p->pairs_n; i++) {
        const nytp_pair *at = &p->pairs[i];
        if (at->process == process && at->kind == NYTP_REC_PROPERTY && nytp_str_eq(at->key, key)) return at->value;
    }
    return nytp_str_c("");
}

uint32_t nytp_profile_find(const void *entries, size_t size, uint32_t n, uint32_t line) {
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const uint32_t *found = (const void *)((const char *)entries + middle * size);
        if (*found < line) low = middle + 1;
        else high = middle;
    }
    return low;
}

const nytp_line *nytp_profile_line(const nytp_file *f, enum nytp_level level, uint32_t line) {
    const nytp_lines *l = &f->level[level];
    uint32_t i = nytp_profile_find(l->at, sizeof *l->at, l->n, line);
    return i < l->n && l->at[i].line == line ? &l->at[i] : NULL;
}

uint32_t nytp_profile_carrier(const nytp_file *f, uint32_t line) {
    uint32_t i = nytp_profile_find(f->carried, sizeof *f->carried, f->carried_n, line);
    return i < f->carried_n && f->carried[i].line == line ? f->carried[i].carrier : 0;
}

static uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

uint32_t nytp_profile_last_line(const nytp_profile *p, const nytp_file *f) {
    uint32_t last = f->source_lines;
    for (int i = 0; i < NYTP_LEVELS; i++)
        if (f->level[i].n) last = later(last, f->level[i].at[f->level[i].n - 1].line);
    if (f->calls.n) last = later(last, p->edges[p->sites[f->calls.first + f->calls.n - 1]].line);
    if (f->evals.n) last = later(last, p->files[p->evals[f->evals.first + f->evals.n - 1]].parent_line);
    for (uint32_t i = 0; i < f->subs.n; i++) last = later(last, p->subs[p->defined[f->subs.first + i]].first_line);
    return last;
}

int nytp_profile_file_used(const nytp_file *f) {
    return f->merged && (f->level[NYTP_LEVEL_LINE].n || f->subs.n || f->calls.n || f->evals.n || f->source_lines);
}

int nytp_profile_sub_called(const nytp_sub *s) {
    return (s->flags & NYTP_SUB_ACTIVITY || !(s->flags & NYTP_SUB_PHASE)) && (s->calls || s->exclusive || s->inclusive);
}

/* The main program of a process is a phase with the process's number. */
uint32_t nytp_profile_main_of(const nytp_profile *p, uint32_t node) {
    const nytp_sub *sub = &p->subs[p->nodes[node].sub];
    int is_main = node == NYTP_ROOT || (p->nodes[node].parent == NYTP_ROOT && sub->flags & NYTP_SUB_PHASE &&
                                        sub->process && sub->ordinal == sub->process);
    return !is_main ? 0 : sub->process ? sub->process : 1;
}

uint64_t nytp_profile_first_start(const nytp_profile *p) {
    uint64_t first = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        const nytp_process *process = &p->processes[i];
        int is_in = process->start && (process->elapsed || !p->is_part);
        if (is_in && (!first || process->start < first)) first = process->start;
    }
    return first;
}

int nytp_profile_has_ended(const nytp_process *process) {
    return process->ending != NYTP_ENDING_MISSING && process->ending != NYTP_ENDING_RUNNING;
}

int64_t nytp_profile_told(int64_t ticks, float spread) {
    return ticks < 0 || (spread > 0 && (double)ticks <= (double)spread) ? -1 : ticks;
}

/* The root, times 100, is of 10^16 times the number, for eight more digits. */
static double points_of(double square) { return (double)nytp_ticks_root((int64_t)(square * 1e16)) / 1e6; }

double nytp_profile_deviation(int64_t samples, double share) {
    return points_of(samples > 0 && share > 0 && share < 1 ? share * (1 - share) / (double)samples : 0);
}

double nytp_profile_error(const nytp_profile *p, int64_t ticks) {
    if (p->samples <= 0 || p->totals.whole <= 0) return -1;
    return nytp_profile_deviation(p->samples, (double)ticks / (double)p->totals.whole);
}

double nytp_profile_line_error(const nytp_profile *p, int64_t ticks, float variance) {
    double whole = (double)p->totals.whole, square = whole > 0 ? (double)variance / whole / whole : 0;
    if (p->samples > 0 || square <= 0) return nytp_profile_error(p, ticks);
    return points_of(square < 1 ? square : 1);
}

static float part_of(const nytp_sub *s, float spread, const nytp_edge *e) {
    return s->calls > 0 && e->calls > 0 ? spread * (float)e->calls / (float)s->calls : spread;
}

float nytp_profile_own_spread(const nytp_profile *p, const nytp_edge *e) {
    const nytp_sub *s = &p->subs[e->callee];
    return part_of(s, s->spread, e);
}

float nytp_profile_nested_spread(const nytp_profile *p, const nytp_edge *e) {
    const nytp_sub *s = &p->subs[e->callee];
    return part_of(s, s->nested_spread, e);
}

double nytp_profile_seconds(const nytp_profile *p, int64_t ticks) {
    return p->ticks_per_second ? (double)ticks / (double)p->ticks_per_second : 0;
}

double nytp_profile_shown(const nytp_profile *p, int64_t ticks) {
    return ticks > 0 ? nytp_profile_seconds(p, ticks) : 0;
}

/* In two parts: a double has no room for today's nanoseconds. */
double nytp_profile_epoch(uint64_t ns) {
    uint64_t seconds = ns / 1000000000u;
    return (double)seconds + (double)(ns - seconds * 1000000000u) / 1e9;
}
