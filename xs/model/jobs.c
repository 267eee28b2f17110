/* SPDX-License-Identifier: MIT */
/* jobs.c - how many jobs of a build ran at a time. */
#include "model/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"

/* ---- the limit ---- */

static nytp_str next_argument(nytp_str *rest) {
    const char *end = rest->n ? memchr(rest->p, 0, rest->n) : NULL;
    nytp_str first = {rest->p, end ? (size_t)(end - rest->p) : rest->n};
    size_t used = first.n + (end != NULL);
    *rest = (nytp_str){rest->p + used, rest->n - used};
    return first;
}

static uint32_t number_in(nytp_str digits) {
    uint32_t n = 0;
    for (size_t i = 0; i < digits.n && digits.p[i] >= '0' && digits.p[i] <= '9' && n < 100000; i++)
        n = 10 * n + (uint32_t)(digits.p[i] - '0');
    return n;
}

/* -j8, -kj8, -j 8, --jobs=8, --jobs 8, and cmake's --parallel 8. */
static uint32_t limit_of(nytp_str command) {
    static const char *const longs[] = {"--jobs", "--parallel"};
    nytp_str rest = command;
    next_argument(&rest);
    while (rest.n) {
        nytp_str option = next_argument(&rest), next = rest;
        const char *j = option.n > 1 && option.p[0] == '-' && option.p[1] != '-' ? memchr(option.p, 'j', option.n)
                                                                                  : NULL;
        size_t behind = j ? (size_t)(j + 1 - option.p) : 0;
        for (size_t i = 0; !behind && i < sizeof longs / sizeof *longs; i++)
            if (nytp_str_starts(option, nytp_str_c(longs[i]))) behind = strlen(longs[i]);
        if (!behind) continue;
        nytp_str value = {option.p + behind, option.n - behind};
        if (value.n && *value.p == '=') value.p++, value.n--;
        uint32_t n = number_in(value.n ? value : next_argument(&next));
        if (n) return n;
    }
    return 0;
}

static int is_builder(nytp_str command) {
    static const char *const names[] = {"make", "gmake", "remake", "ninja", "samu", "cmake"};
    nytp_str name = next_argument(&command);
    for (size_t at = name.n; at; at--)
        if (name.p[at - 1] == '/') {
            name = (nytp_str){name.p + at, name.n - at};
            break;
        }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (nytp_str_eq(name, nytp_str_c(names[i]))) return 1;
    return 0;
}

/* That of the first program with one: those that it runs share its limit. */
static uint32_t find_limit(const nytp_build *b) {
    uint32_t limit = 0;
    for (uint32_t i = 0; i < b->n && !limit; i++) {
        nytp_str command = b->texts[b->processes[i].command];
        if (is_builder(command)) limit = limit_of(command);
    }
    return limit;
}

/* ---- steps ---- */

typedef struct moment {
    int64_t at;
    uint32_t process;
    int32_t begins;
} moment;

/* What ends makes room for what begins. */
static int compare(const void *a, const void *b) {
    const moment *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->begins != y->begins) return x->begins - y->begins;
    return x->process < y->process ? -1 : x->process > y->process;
}

/* Processes that took no time are left out. */
static uint32_t list(moment *moments, const nytp_build *b) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const nytp_build_process *p = &b->processes[i];
        if (p->ended <= p->began) continue;
        moments[n++] = (moment){p->began, i, 1};
        moments[n++] = (moment){p->ended, i, 0};
    }
    qsort(moments, n, sizeof *moments, compare);
    return n;
}

typedef struct state {
    uint32_t below; /* number of processes directly below that run */
    int32_t runs;
} state;

static int is_job(const nytp_build *b, const state *states, uint32_t process) {
    return b->processes[process].depth && states[process].runs && !states[process].below;
}

/* Changes what runs, and returns the number of jobs that it adds. */
static int32_t pass(const nytp_build *b, state *states, const moment *m) {
    uint32_t parent = b->processes[m->process].parent;
    int has_parent = parent != NYTP_BUILD_NONE && states[parent].runs;
    int32_t before = is_job(b, states, m->process) + (has_parent && is_job(b, states, parent));
    states[m->process].runs = m->begins;
    if (has_parent && m->begins) states[parent].below++;
    if (has_parent && !m->begins && states[parent].below) states[parent].below--;
    return is_job(b, states, m->process) + (has_parent && is_job(b, states, parent)) - before;
}

static void add_step(nytp_jobs *jobs, int64_t at, uint32_t running) {
    if (jobs->n && jobs->steps[jobs->n - 1].at == at) jobs->n--;
    if (jobs->n && jobs->steps[jobs->n - 1].running == running) return;
    jobs->steps[jobs->n++] = (nytp_jobs_step){at, running};
}

static void sum_up(nytp_jobs *jobs) {
    uint64_t all = 0;
    for (uint32_t i = 0; i + 1 < jobs->n; i++) {
        uint64_t time = (uint64_t)nytp_ticks_minus(jobs->steps[i + 1].at, jobs->steps[i].at);
        jobs->time[jobs->steps[i].running] += time;
        jobs->work += time * jobs->steps[i].running;
        all += time;
    }
    jobs->mean = all ? (double)jobs->work / (double)all : 0;
}

enum nytp_code nytp_jobs_count(nytp_jobs *jobs, const nytp_build *b) {
    *jobs = (nytp_jobs){.limit = find_limit(b)};
    size_t room = 2 * (size_t)b->n + 2;
    moment *moments = malloc(room * sizeof *moments);
    state *states = calloc(b->n + 1u, sizeof *states);
    jobs->steps = calloc(room, sizeof *jobs->steps);
    uint32_t n = moments && states && jobs->steps ? list(moments, b) : 0, running = 0;
    if (jobs->steps) add_step(jobs, b->first, 0);
    for (uint32_t i = 0; i < n; i++) {
        running = (uint32_t)((int32_t)running + pass(b, states, &moments[i]));
        if (running > jobs->most) jobs->most = running;
        add_step(jobs, moments[i].at, running);
    }
    if (jobs->steps && jobs->steps[jobs->n - 1].at != b->last) jobs->steps[jobs->n++] = (nytp_jobs_step){b->last, 0};
    jobs->time = calloc(jobs->most + 1u, sizeof *jobs->time);
    int is_fine = moments && states && jobs->steps && jobs->time;
    if (is_fine) sum_up(jobs);
    free(moments);
    free(states);
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

void nytp_jobs_free(nytp_jobs *jobs) {
    free(jobs->steps);
    free(jobs->time);
    *jobs = (nytp_jobs){0};
}
