/* SPDX-License-Identifier: MIT */
/* resources.c - adds up what processes used: each stream has the numbers of its process. */
#include "model/resources.h"

#include <stdlib.h>

#include "base/table.h"
#include "base/ticks.h"

typedef struct use { /* resources of a process: each stream has them up to its end, so the last one counts */
    nytp_stream_id id;   /* of its first stream */
    uint64_t user_us, system_us;
    uint32_t streams;
} use;

typedef struct summer {
    nytp_resources *u;
    nytp_table numbers; /* 1 + index in uses */
    use *uses;
} summer;

static uint64_t key_of(const nytp_process *p) {
    nytp_str job = {(const char *)p->id.run, sizeof p->id.run};
    return nytp_str_hash(job) ^ (uint64_t)p->id.pid << 32 ^ p->id.front_end;
}

static int is_same_process(const void *of, uint32_t number, const void *like) {
    const nytp_stream_id *a = &((const use *)of)[number - 1].id, *b = like;
    return memcmp(a->run, b->run, sizeof a->run) == 0 && a->pid == b->pid && a->front_end == b->front_end;
}

/* The use of a stream's process, which is new if it has no streams yet. NULL when memory is short. */
static use *use_of(summer *s, const nytp_process *p) {
    uint32_t *number = nytp_table_at(&s->numbers, key_of(p), is_same_process, s->uses, &p->id);
    if (!number) return NULL;
    if (!*number) s->uses[(*number = ++s->u->processes) - 1].id = p->id;
    return &s->uses[*number - 1];
}

static uint64_t larger(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static enum nytp_code add(summer *s, const nytp_process *of) {
    nytp_resources *u = s->u;
    use *process = use_of(s, of);
    if (!process) return NYTP_NOMEM;
    process->streams++;
    process->user_us = larger(process->user_us, of->user_us);
    process->system_us = larger(process->system_us, of->system_us);
    u->max_rss_kb = larger(u->max_rss_kb, of->max_rss_kb);
    u->waited = nytp_ticks_add(u->waited, of->waited);
    return NYTP_OK;
}

static enum nytp_code count_siblings(summer *s, const nytp_profile *p) {
    s->u->siblings = calloc(p->processes_n + (size_t)1, sizeof *s->u->siblings);
    if (!s->u->siblings) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        const use *process = use_of(s, &p->processes[i]); /* which has one */
        s->u->siblings[i] = process ? process->streams : 1;
    }
    return NYTP_OK;
}

/* ---- runs ---- */

typedef struct life { /* of a stream; seconds since the first start */
    double begin, end;
    const unsigned char *run; /* as in its id */
} life;

static int by_begin(const void *a, const void *b) {
    const life *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Format 5 has no number of a run: there all are 0. */
static int is_same_run(const life *a, const life *b) {
    static const unsigned char none[sizeof ((nytp_stream_id *)NULL)->run];
    return memcmp(a->run, b->run, sizeof none) == 0 && memcmp(a->run, none, sizeof none) != 0;
}

/* One run ends before the other begins, unless both are of one program that forked. */
static void sum_runs(nytp_resources *u, const life *lives, uint32_t n) {
    double end = 0;
    for (uint32_t i = 0; i < n; i++) {
        int is_new = !i || (lives[i].begin > end && !is_same_run(&lives[i], &lives[i - 1]));
        double from = is_new ? lives[i].begin : end;
        u->runs += (uint32_t)is_new;
        if (is_new || lives[i].end > end) end = lives[i].end;
        u->wall += end - from;
    }
}

static enum nytp_code find_runs(nytp_resources *u, const nytp_profile *p) {
    life *lives = malloc((p->processes_n + (size_t)1) * sizeof *lives);
    uint32_t n = 0;
    if (!lives) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->processes_n; i++) {
        const nytp_process *of = &p->processes[i];
        double begin = (double)(of->start - u->begin) * 1e-9, took = nytp_profile_seconds(p, of->elapsed);
        if (of->start) lives[n++] = (life){begin, begin + (took > 0 ? took : 0), of->id.run};
    }
    if (n) qsort(lives, n, sizeof *lives, by_begin);
    sum_runs(u, lives, n);
    free(lives);
    return NYTP_OK;
}

static uint32_t count_threads(const nytp_profile *p) {
    uint64_t n = p->processes_n;
    for (uint32_t i = 0; i < p->processes_n; i++)
        if (p->processes[i].threads) n += p->processes[i].threads - 1;
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

enum nytp_code nytp_resources_sum(nytp_resources *u, const nytp_profile *p) {
    summer s = {.u = u, .uses = calloc(p->processes_n + (size_t)1, sizeof *s.uses)};
    enum nytp_code code = s.uses ? NYTP_OK : NYTP_NOMEM;
    *u = (nytp_resources){.begin = nytp_profile_first_start(p)};
    for (uint32_t i = 0; i < p->processes_n && !code; i++) code = add(&s, &p->processes[i]);
    for (uint32_t i = 0; s.uses && i < u->processes; i++) {
        u->user_us += s.uses[i].user_us;
        u->system_us += s.uses[i].system_us;
    }
    u->threads = count_threads(p);
    if (!code) code = find_runs(u, p);
    if (!code) code = count_siblings(&s, p);
    nytp_table_free(&s.numbers);
    free(s.uses);
    return code;
}

void nytp_resources_free(nytp_resources *u) {
    free(u->siblings);
    u->siblings = NULL;
}

int64_t nytp_resources_profiler(const nytp_profile *p) {
    return nytp_ticks_add(nytp_ticks_add(p->totals.subtracted, p->totals.cold), p->totals.flush);
}
