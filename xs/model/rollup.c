/* SPDX-License-Identifier: MIT */
/* rollup.c - from places and edges, in order of first sight, to lists per file and by line.
 *
 * Everything is sorted once into arrays of indexes; a file has a range of each. */
#include "model/rollup.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/ticks.h"
#include "model/metrics.h"
#include "model/statements.h"

/* ---- things by file: grouped first, then sorted file by file, so that no sort is a large one ---- */

#define NO_FILE UINT32_MAX

typedef uint32_t file_of(const nytp_profile *p, uint32_t i); /* NO_FILE: it is left out */

typedef struct groups {
    uint32_t *index; /* of things, grouped by file */
    uint32_t *ends;  /* per file: end of its range */
    uint32_t n, most;
} groups;

/* A counting sort: each file's count becomes the index of its first thing, then of its end. */
static void deal(const nytp_profile *p, groups *g, uint32_t n, file_of *file) {
    for (uint32_t i = 0; i < n; i++)
        if (file(p, i) != NO_FILE) g->ends[file(p, i)]++;
    for (uint32_t i = 0; i < p->files_n; i++) {
        uint32_t count = g->ends[i];
        if (count > g->most) g->most = count;
        g->ends[i] = g->n;
        g->n += count;
    }
    for (uint32_t i = 0; i < n; i++)
        if (file(p, i) != NO_FILE) g->index[g->ends[file(p, i)]++] = i;
}

/* Groups n things; index has room for them. The caller frees ends. */
static enum nytp_code group(const nytp_profile *p, groups *g, uint32_t *index, uint32_t n, file_of *file) {
    *g = (groups){.index = index, .ends = calloc(p->files_n + (size_t)1, sizeof *g->ends)};
    if (!index || !g->ends) return NYTP_NOMEM;
    deal(p, g, n, file);
    return NYTP_OK;
}

static nytp_slice group_of(const groups *g, uint32_t file) {
    uint32_t first = file ? g->ends[file - 1] : 0;
    return (nytp_slice){first, g->ends[file] - first};
}

/* ---- lines ---- */

static int by_line(const void *a, const void *b) {
    const nytp_line *x = a, *y = b;
    return x->line < y->line ? -1 : x->line > y->line;
}

static uint32_t line_at(const nytp_place *place, enum nytp_level level) {
    if (level == NYTP_LEVEL_BLOCK) return place->block_line;
    return level == NYTP_LEVEL_SUB ? place->sub_line : place->line;
}

/* Sums up adjacent entries of one line. Returns the number of entries left. */
static uint32_t sum_lines(nytp_profile *p, nytp_line *lines, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!kept || lines[kept - 1].line != lines[i].line) {
            lines[kept++] = lines[i];
            continue;
        }
        nytp_line *last = &lines[kept - 1];
        last->count = nytp_ticks_add(last->count, lines[i].count);
        last->ticks = nytp_ticks_add(last->ticks, lines[i].ticks);
        last->spread += lines[i].spread;
        last->variance += lines[i].variance;
        nytp_metrics_add(p, &last->values, lines[i].values);
    }
    return kept;
}

/* Sums up the n places of a file; lines is scratch for n. */
static enum nytp_code roll_up_level(nytp_profile *p, const uint32_t *places, uint32_t n, enum nytp_level level,
                                    nytp_lines *to, nytp_line *lines) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_place *place = &p->places[places[i]];
        uint32_t line = line_at(place, level);
        if (!line && level != NYTP_LEVEL_LINE) continue;
        lines[used] = (nytp_line){line, place->spread, place->count, place->ticks, 0, place->variance};
        nytp_metrics_add(p, &lines[used++].values, place->values);
    }
    if (!used) return NYTP_OK;
    qsort(lines, used, sizeof *lines, by_line);
    used = sum_lines(p, lines, used);
    to->at = nytp_arena_get(&p->arena, used * sizeof *lines);
    if (!to->at) return NYTP_NOMEM;
    memcpy(to->at, lines, used * sizeof *lines);
    to->n = used;
    return NYTP_OK;
}

static uint32_t file_of_place(const nytp_profile *p, uint32_t i) {
    const nytp_place *place = &p->places[i];
    return place->count || place->ticks || place->values ? place->file : NO_FILE;
}

static enum nytp_code roll_up_files(nytp_profile *p, const groups *g) {
    nytp_line *lines = malloc((g->most + (size_t)1) * sizeof *lines);
    int failed = !lines;
    for (uint32_t file = 0; file < p->files_n && !failed; file++) {
        nytp_slice of = group_of(g, file);
        for (int level = 0; level < NYTP_LEVELS && !failed; level++)
            failed = roll_up_level(p, g->index + of.first, of.n, (enum nytp_level)level, &p->files[file].level[level],
                                   lines);
    }
    free(lines);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

static enum nytp_code roll_up_levels(nytp_profile *p) {
    groups g;
    uint32_t *index = malloc((p->places_n + (size_t)1) * sizeof *index);
    int code = group(p, &g, index, p->places_n, file_of_place);
    if (!code) code = roll_up_files(p, &g);
    free(g.ends);
    free(index);
    return code;
}

/* ---- calls, subs and evals by file ---- */

/* Up to three numbers to sort by. */
typedef struct rank {
    int64_t key[3];
    uint32_t index;
} rank;

typedef struct listing { /* an index array of the profile with a range for each file */
    file_of *file;
    rank (*rank_of)(const nytp_profile *p, uint32_t i);
    size_t slice; /* offset of the range in nytp_file */
} listing;

static int by_rank(const void *a, const void *b) {
    const rank *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void sort_stretch(const nytp_profile *p, const listing *l, uint32_t *index, uint32_t n, rank *ranks) {
    for (uint32_t i = 0; i < n; i++) ranks[i] = l->rank_of(p, index[i]);
    if (n > 1) qsort(ranks, n, sizeof *ranks, by_rank);
    for (uint32_t i = 0; i < n; i++) index[i] = ranks[i].index;
}

/* File 0, which has no page, gets no range. */
static void sort_all(nytp_profile *p, const listing *l, const groups *g, rank *ranks) {
    for (uint32_t file = 0; file < p->files_n; file++) {
        nytp_slice of = group_of(g, file);
        sort_stretch(p, l, g->index + of.first, of.n, ranks);
        if (file && of.n) *(nytp_slice *)((char *)&p->files[file] + l->slice) = of;
    }
}

/* Lists n things. Returns the array, with its length in *listed; NULL when memory is short. */
static uint32_t *list(nytp_profile *p, const listing *l, uint32_t n, uint32_t *listed) {
    groups g;
    int failed = group(p, &g, nytp_arena_get(&p->arena, (n + (size_t)1) * sizeof *g.index), n, l->file);
    rank *ranks = failed ? NULL : malloc((g.most + (size_t)1) * sizeof *ranks);
    if (ranks) sort_all(p, l, &g, ranks);
    *listed = g.n;
    failed = !ranks;
    free(ranks);
    free(g.ends);
    return failed ? NULL : g.index;
}

static uint32_t file_of_site(const nytp_profile *p, uint32_t i) {
    return p->edges[i].file;
}

static rank rank_of_site(const nytp_profile *p, uint32_t i) {
    const nytp_edge *e = &p->edges[i];
    return (rank){{e->line, nytp_ticks_minus(0, nytp_ticks_add(e->inclusive, e->recursive)),
                   nytp_ticks_minus(0, e->calls)}, i};
}

static uint32_t home_of_sub(const nytp_profile *p, uint32_t i) {
    return p->subs[i].moved == i && p->subs[i].home ? p->subs[i].home : NO_FILE;
}

/* Subs written here come by line, then those without source. */
static rank rank_of_sub(const nytp_profile *p, uint32_t i) {
    const nytp_sub *s = &p->subs[i];
    return (rank){{!s->file, s->first_line, s->last_line}, i};
}

static uint32_t parent_of_eval(const nytp_profile *p, uint32_t i) {
    return p->files[i].merged && p->files[i].parent ? p->files[i].parent : NO_FILE;
}

static rank rank_of_eval(const nytp_profile *p, uint32_t i) {
    return (rank){{p->files[i].parent_line, 0, 0}, i};
}

static enum nytp_code list_everything(nytp_profile *p) {
    static const listing sites = {file_of_site, rank_of_site, offsetof(nytp_file, calls)},
                         defined = {home_of_sub, rank_of_sub, offsetof(nytp_file, subs)},
                         evals = {parent_of_eval, rank_of_eval, offsetof(nytp_file, evals)};
    p->sites = list(p, &sites, p->edges_n, &p->sites_n);
    p->defined = list(p, &defined, p->subs_n, &p->defined_n);
    p->evals = list(p, &evals, p->files_n, &p->evals_n);
    return p->sites && p->defined && p->evals ? NYTP_OK : NYTP_NOMEM;
}

static int is_of_package(const void *of, uint32_t number, const void *package) {
    return nytp_str_eq(((const nytp_profile *)of)->subs[number - 1].package, *(const nytp_str *)package);
}

/* 1 if the sub's file says better than the known one's where the package is at home. */
static int is_closer(const nytp_profile *p, const nytp_sub *s, const nytp_sub *known) {
    int in_eval = p->files[s->file].parent != 0, known_in_eval = p->files[known->file].parent != 0;
    return in_eval != known_in_eval ? known_in_eval : s->file < known->file;
}

/* The home of a sub without source is that in format 5, else the first plain file, else eval, with a perl sub of its
 * package. */
static enum nytp_code find_homes(nytp_profile *p) {
    nytp_table homes = {0}; /* for a package 1 + a sub that is at home */
    int failed = 0;
    for (uint32_t i = 0; i < p->subs_n && !failed; i++) {
        nytp_sub *s = &p->subs[i];
        if (s->file) s->home = s->file;
        if (!s->file || s->moved != i || !s->package.n) continue;
        uint32_t *best = nytp_table_at(&homes, nytp_str_hash(s->package), is_of_package, p, &s->package);
        failed = !best;
        if (best && (!*best || is_closer(p, s, &p->subs[*best - 1]))) *best = i + 1;
    }
    for (uint32_t i = NYTP_UNKNOWN + 1; i < p->subs_n && !failed; i++) {
        nytp_sub *s = &p->subs[i];
        if (s->home || !s->package.n || s->flags & NYTP_SUB_PHASE) continue;
        uint32_t best = nytp_table_get(&homes, nytp_str_hash(s->package), is_of_package, p, &s->package);
        if (best) s->home = p->subs[best - 1].file;
    }
    nytp_table_free(&homes);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* One line may call a sub from two contexts: places counts lines, not edges. */
static void count_places(const nytp_profile *p, nytp_sub *s, uint64_t *sites) {
    uint32_t n = s->callers.n;
    for (uint32_t i = 0; i < n; i++) {
        const nytp_edge *e = &p->edges[s->callers.first + i];
        sites[i] = (uint64_t)e->file << 32 | e->line;
    }
    qsort(sites, n, sizeof *sites, by_number);
    for (uint32_t i = 0; i < n; i++) {
        s->places += !i || sites[i] != sites[i - 1];
        s->caller_files += !i || sites[i] >> 32 != sites[i - 1] >> 32;
    }
}

static enum nytp_code count_all_places(nytp_profile *p) {
    uint64_t *sites = malloc((p->edges_n + 1u) * sizeof *sites);
    if (!sites) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (p->subs[i].callers.n && !(p->subs[i].flags & NYTP_SUB_ACTIVITY)) count_places(p, &p->subs[i], sites);
    free(sites);
    return NYTP_OK;
}

static void sum_file(nytp_profile *p, nytp_totals *t, nytp_file *f) {
    const nytp_lines *l = &f->level[NYTP_LEVEL_LINE];
    for (uint32_t i = 0; i < l->n; i++) {
        f->count = nytp_ticks_add(f->count, l->at[i].count);
        f->ticks = nytp_ticks_add(f->ticks, l->at[i].ticks);
        f->spread += l->at[i].spread;
        if (l->at[i].ticks > 0) f->above = nytp_ticks_add(f->above, l->at[i].ticks);
        nytp_metrics_add(p, &f->values, l->at[i].values);
    }
    t->statements = nytp_ticks_add(t->statements, f->count);
    t->ticks = nytp_ticks_add(t->ticks, f->ticks);
    nytp_metrics_add(p, &t->values, f->values);
    if (!nytp_profile_file_used(f)) return;
    if (f->parent) {
        t->eval_pages++;
        t->evals += f->merged;
    } else
        t->files++;
}

/* Adds an eval's time to the file that ran it, after the times of the evals in it. An eval may come before its file. */
static enum nytp_code sum_nested(nytp_profile *p) {
    /* number of evals not yet added, plus one for the file itself */
    uint32_t *waiting = calloc((size_t)p->files_n + 1, sizeof *waiting);
    if (!waiting) return NYTP_NOMEM;
    for (uint32_t i = 1; i < p->files_n; i++) {
        waiting[i]++;
        if (p->files[i].merged) waiting[p->files[i].parent]++;
    }
    for (uint32_t i = 1; i < p->files_n; i++) {
        for (uint32_t j = i; j && --waiting[j] == 0; j = p->files[j].parent) {
            nytp_file *around = &p->files[p->files[j].parent];
            if (!p->files[j].merged || around == p->files) break;
            around->nested = nytp_ticks_add(around->nested, nytp_ticks_add(p->files[j].above, p->files[j].nested));
        }
    }
    free(waiting);
    return NYTP_OK;
}

/* Totals of metrics: over statements, else over calls, else over processes. */
static void sum_values(nytp_profile *p) {
    for (uint32_t i = 0; i < p->metrics_n; i++) {
        nytp_metric *m = &p->metrics[i];
        if (m->of & NYTP_OF_PLACE) continue;
        if (m->of & NYTP_OF_NODE)
            nytp_metrics_put(p, i, &p->totals.values, nytp_metrics_get(p, i, p->nodes[NYTP_ROOT].whole));
        else
            for (uint32_t j = 0; j < p->processes_n; j++)
                nytp_metrics_put(p, i, &p->totals.values, nytp_metrics_get(p, i, p->processes[j].values));
    }
}

static enum nytp_code sum_totals(nytp_profile *p) {
    nytp_totals *t = &p->totals;
    int64_t outside = 0;
    for (uint32_t i = 0; i < p->files_n; i++) {
        nytp_statements_tidy(&p->files[i]);
        sum_file(p, t, &p->files[i]);
    }
    if (sum_nested(p)) return NYTP_NOMEM;
    for (uint32_t i = 1; i < p->subs_n; i++) {
        t->calls = nytp_ticks_add(t->calls, p->subs[i].calls);
        t->subs += nytp_profile_sub_called(&p->subs[i]) && !(p->subs[i].flags & NYTP_SUB_ACTIVITY);
    }
    for (uint32_t i = 0; i < p->processes_n; i++) {
        t->elapsed = nytp_ticks_add(t->elapsed, p->processes[i].elapsed);
        t->subtracted = nytp_ticks_add(t->subtracted, p->processes[i].subtracted);
        t->flush = nytp_ticks_add(t->flush, p->processes[i].flush);
        t->off = nytp_ticks_add(t->off, p->processes[i].off);
        t->cold = nytp_ticks_add(t->cold, p->processes[i].cold);
        outside = nytp_ticks_add(outside, p->processes[i].outside);
    }
    t->whole = nytp_ticks_add(t->ticks, outside);
    if (t->whole < p->nodes[NYTP_ROOT].inclusive) t->whole = p->nodes[NYTP_ROOT].inclusive;
    if (!t->ticks) t->ticks = p->nodes[NYTP_ROOT].inclusive;
    sum_values(p);
    return NYTP_OK;
}

enum nytp_code nytp_rollup(nytp_profile *p) {
    if (find_homes(p) || roll_up_levels(p) || list_everything(p) || count_all_places(p)) return NYTP_NOMEM;
    return sum_totals(p);
}
