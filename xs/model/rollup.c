/* rollup.c - from places and edges, which come in order of first sight, to what pages want: per file and by line.
 *
 * Everything is sorted once into arrays of indexes; a file keeps the stretch of each that is its own. */
#include "model/rollup.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/ticks.h"

typedef struct tally {
    uint32_t file;
    nytp_line line;
} tally;

static int by_line(const void *a, const void *b) {
    const tally *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->line.line < y->line.line ? -1 : x->line.line > y->line.line;
}

static uint32_t line_at(const nytp_place *place, enum nytp_level level) {
    if (level == NYTP_LEVEL_BLOCK) return place->block_line;
    return level == NYTP_LEVEL_SUB ? place->sub_line : place->line;
}

/* Adds up t[0..n), which is sorted, and gives each file its stretch of `lines`. */
static void deal_lines(nytp_profile *p, enum nytp_level level, const tally *t, uint32_t n, nytp_line *lines) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < n; i++) {
        nytp_lines *l = &p->files[t[i].file].level[level];
        if (!l->n) l->at = lines + used;
        if (!l->n || l->at[l->n - 1].line != t[i].line.line) {
            l->at[l->n++] = t[i].line;
            used++;
            continue;
        }
        nytp_line *last = &l->at[l->n - 1];
        last->count = nytp_ticks_add(last->count, t[i].line.count);
        last->ticks = nytp_ticks_add(last->ticks, t[i].line.ticks);
        last->spread += t[i].line.spread;
        nytp_memory_add(&last->memory, t[i].line.memory);
    }
}

static int roll_up_level(nytp_profile *p, enum nytp_level level, tally *t) {
    nytp_line *lines = nytp_arena_get(&p->arena, (p->places_n + 1u) * sizeof *lines);
    if (!lines) return NYTP_NOMEM;
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->places_n; i++) {
        const nytp_place *place = &p->places[i];
        uint32_t line = line_at(place, level);
        if ((!place->count && !place->ticks && !place->memory.count) || (!line && level != NYTP_LEVEL_LINE)) continue;
        t[n++] = (tally){place->file, {line, place->spread, place->count, place->ticks, place->memory}};
    }
    qsort(t, n, sizeof *t, by_line);
    deal_lines(p, level, t, n, lines);
    return NYTP_OK;
}

static int roll_up_levels(nytp_profile *p) {
    tally *t = malloc((p->places_n + 1u) * sizeof *t);
    int failed = !t;
    for (int level = 0; level < NYTP_LEVELS && !failed; level++) failed = roll_up_level(p, (enum nytp_level)level, t);
    free(t);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

static int by_carried_line(const void *a, const void *b) {
    const nytp_carried *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->carrier < y->carrier ? -1 : x->carrier > y->carrier;
}

/* A line that has a count of its own, or that was told twice, is not carried; nor did it run if its carrier did not. */
static void tidy_carried(nytp_file *f) {
    uint32_t kept = 0;
    if (f->carried_n) qsort(f->carried, f->carried_n, sizeof *f->carried, by_carried_line);
    for (uint32_t i = 0; i < f->carried_n; i++) {
        const nytp_line *own = nytp_profile_line(f, NYTP_LEVEL_LINE, f->carried[i].line);
        int ran = nytp_profile_line(f, NYTP_LEVEL_LINE, f->carried[i].carrier) != NULL;
        if (!ran || (own && own->count) || (kept && f->carried[kept - 1].line == f->carried[i].line)) continue;
        f->carried[kept++] = f->carried[i];
    }
    f->carried_n = kept;
}

/* Things with up to three numbers to sort by: the index array of the profile that follows from them. */
typedef struct rank {
    int64_t key[4];
    uint32_t index;
} rank;

static int by_rank(const void *a, const void *b) {
    const rank *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x->key[i] != y->key[i]) return x->key[i] < y->key[i] ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts r and copies the indexes into the arena. The first key is a file, whose stretch is kept at that offset in it;
 * file 0 gets none: what happened nowhere is on no page. */
static uint32_t *rank_all(nytp_profile *p, rank *r, uint32_t n, size_t slice_offset) {
    uint32_t *index = nytp_arena_get(&p->arena, (n + 1u) * sizeof *index);
    if (!index) return NULL;
    qsort(r, n, sizeof *r, by_rank);
    for (uint32_t i = 0; i < n; i++) {
        nytp_slice *slice = (nytp_slice *)((char *)&p->files[r[i].key[0]] + slice_offset);
        index[i] = r[i].index;
        if (r[i].key[0] == 0) continue;
        if (!slice->n) slice->first = i;
        slice->n++;
    }
    return index;
}

static int rank_sites(nytp_profile *p, rank *r) {
    for (uint32_t i = 0; i < p->edges_n; i++) {
        const nytp_edge *e = &p->edges[i];
        r[i] = (rank){{e->file, e->line, nytp_ticks_minus(0, nytp_ticks_add(e->inclusive, e->recursive)),
                        nytp_ticks_minus(0, e->calls)}, i};
    }
    p->sites = rank_all(p, r, p->edges_n, offsetof(nytp_file, calls));
    p->sites_n = p->edges_n;
    return p->sites ? NYTP_OK : NYTP_NOMEM;
}

/* Subs written here come by line, then those without source. */
static int rank_defined(nytp_profile *p, rank *r) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->subs_n; i++) {
        const nytp_sub *s = &p->subs[i];
        if (s->moved != i || !s->home) continue;
        r[n++] = (rank){{s->home, !s->file, s->first_line, s->last_line}, i};
    }
    p->defined = rank_all(p, r, n, offsetof(nytp_file, subs));
    p->defined_n = n;
    return p->defined ? NYTP_OK : NYTP_NOMEM;
}

static int rank_evals(nytp_profile *p, rank *r) {
    uint32_t n = 0;
    for (uint32_t i = 1; i < p->files_n; i++) {
        const nytp_file *f = &p->files[i];
        if (f->merged && f->parent) r[n++] = (rank){{f->parent, f->parent_line, 0, 0}, i};
    }
    p->evals = rank_all(p, r, n, offsetof(nytp_file, evals));
    p->evals_n = n;
    return p->evals ? NYTP_OK : NYTP_NOMEM;
}

static uint32_t most(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static int rank_everything(nytp_profile *p) {
    rank *r = malloc((most(p->edges_n, most(p->subs_n, p->files_n)) + 1u) * sizeof *r);
    int failed = !r || rank_sites(p, r) || rank_defined(p, r) || rank_evals(p, r);
    free(r);
    return failed ? NYTP_NOMEM : NYTP_OK;
}

/* A sub without source is shown where format 5 says, else with its package: on the page of the first plain file, else
 * eval, that has a perl sub of the same package. */
static int find_homes(nytp_profile *p) {
    nytp_map homes = {0};
    int failed = 0;
    for (uint32_t i = 0; i < p->subs_n && !failed; i++) {
        nytp_sub *s = &p->subs[i];
        if (s->file) s->home = s->file;
        if (!s->file || s->moved != i || !s->package.n) continue;
        uint32_t *home = nytp_map_at(&homes, nytp_str_hash(s->package));
        failed = !home;
        if (failed) break;
        int better = !*home || (!!p->files[s->file].parent < !!p->files[*home].parent) ||
                     (!p->files[s->file].parent == !p->files[*home].parent && s->file < *home);
        if (better) *home = s->file;
    }
    for (uint32_t i = NYTP_UNKNOWN + 1; i < p->subs_n && !failed; i++)
        if (!p->subs[i].home && p->subs[i].package.n && !(p->subs[i].flags & NYTP_SUB_PHASE))
            p->subs[i].home = nytp_map_get(&homes, nytp_str_hash(p->subs[i].package));
    nytp_map_free(&homes);
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

static int count_all_places(nytp_profile *p) {
    uint64_t *sites = malloc((p->edges_n + 1u) * sizeof *sites);
    if (!sites) return NYTP_NOMEM;
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (p->subs[i].callers.n && !(p->subs[i].flags & NYTP_SUB_ACTIVITY)) count_places(p, &p->subs[i], sites);
    free(sites);
    return NYTP_OK;
}

static void sum_file(nytp_totals *t, nytp_file *f) {
    const nytp_lines *l = &f->level[NYTP_LEVEL_LINE];
    for (uint32_t i = 0; i < l->n; i++) {
        f->count = nytp_ticks_add(f->count, l->at[i].count);
        f->ticks = nytp_ticks_add(f->ticks, l->at[i].ticks);
        f->spread += l->at[i].spread;
        nytp_memory_add(&f->memory, l->at[i].memory);
    }
    t->statements = nytp_ticks_add(t->statements, f->count);
    t->ticks = nytp_ticks_add(t->ticks, f->ticks);
    nytp_memory_add(&t->memory, f->memory);
    if (!nytp_profile_file_used(f)) return;
    if (f->parent) {
        t->eval_pages++;
        t->evals += f->merged;
    } else
        t->files++;
}

/* An eval's time goes to the file that ran it once all that it ran itself has come to it. Most evals come after that
 * file, but not all. */
static int sum_nested(nytp_profile *p) {
    /* for so many evals, itself included until it is done */
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
            around->nested = nytp_ticks_add(around->nested, nytp_ticks_add(p->files[j].ticks, p->files[j].nested));
        }
    }
    free(waiting);
    return NYTP_OK;
}

static int sum_totals(nytp_profile *p) {
    nytp_totals *t = &p->totals;
    int64_t outside = 0;
    for (uint32_t i = 0; i < p->files_n; i++) {
        tidy_carried(&p->files[i]);
        sum_file(t, &p->files[i]);
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
    return NYTP_OK;
}

int nytp_rollup(nytp_profile *p) {
    if (find_homes(p) || roll_up_levels(p) || rank_everything(p) || count_all_places(p)) return NYTP_NOMEM;
    return sum_totals(p);
}
