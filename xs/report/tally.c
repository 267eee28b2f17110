/* SPDX-License-Identifier: MIT */
/* tally.c - what the processes of a build have used, by classes. */
#include "report/tally.h"

#include <stdlib.h>

#include "base/grow.h"
#include "report/command.h"

#define CLASSES 10000u   /* of a schema; more are one class */
#define BUCKETS 2000000u /* of all spreads, 16 MB */

nytp_tally *nytp_tally_make(uint32_t schemata, int is_spread) {
    nytp_tally *t = calloc(1, sizeof *t);
    if (!t) return NULL;
    t->lists = nytp_arena_get(&t->arena, (schemata + !schemata) * sizeof *t->lists);
    t->lists_n = t->lists ? schemata : 0;
    t->is_spread = is_spread;
    t->buckets = is_spread ? BUCKETS : 0;
    if (t->lists) return t;
    nytp_tally_free(t);
    return NULL;
}

static int is_same(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_tally_list *)of)->rows[number - 1].name, *(const nytp_str *)like);
}

/* The row's distributions. */
static void spread(nytp_tally *t, nytp_tally_row *r) {
    if (!t->is_spread || r->spread) return;
    r->spread = nytp_arena_get(&t->arena, NYTP_TALLY_MEASURES * sizeof *r->spread);
    r->density = nytp_arena_get(&t->arena, sizeof *r->density);
    t->failed |= !r->spread || !r->density;
}

static nytp_tally_row *row_of(nytp_tally *t, nytp_tally_list *l, nytp_str name) {
    nytp_str kept = l->n < CLASSES ? name : NYTP_LIT("(others)");
    uint32_t *number = nytp_table_at(&l->by_name, nytp_str_hash(kept), is_same, l, &kept);
    if (number && *number) return &l->rows[*number - 1];
    nytp_tally_row *new = number ? nytp_grow(&t->arena, &l->rows, l->n, &l->room, sizeof *new) : NULL;
    if (new) new->name = nytp_arena_str(&t->arena, kept);
    if (!new || !new->name.p) return t->failed = 1, NULL;
    *number = ++l->n;
    spread(t, new);
    return new;
}

static void add_uses(nytp_tally_row *r, const nytp_rec_exit *used) {
    if (used->max_rss_kb > r->uses[NYTP_TALLY_MEMORY]) r->uses[NYTP_TALLY_MEMORY] = used->max_rss_kb;
    r->uses[NYTP_TALLY_READS] += used->blocks_in;
    r->uses[NYTP_TALLY_WRITES] += used->blocks_out;
    r->uses[NYTP_TALLY_FAULTS] += used->major_faults;
    r->uses[NYTP_TALLY_SWITCHES] += used->switches;
    r->uses[NYTP_TALLY_FORCED] += used->forced_switches;
}

static void add(nytp_tally *t, nytp_tally_row *r, const nytp_built *process,
                const double values[NYTP_TALLY_MEASURES]) {
    double from = nytp_seconds_between(t->began, process->began);
    if (!r->n || process->began < r->first) r->first = process->began;
    if (!r->n || process->ended > r->last) r->last = process->ended;
    for (int i = 0; i < NYTP_TALLY_MEASURES; i++) {
        nytp_tally_sum *s = &r->of[i];
        s->total += values[i];
        if (!r->n || values[i] < s->least) s->least = values[i];
        if (!r->n || values[i] > s->most) s->most = values[i];
        if (r->spread && !nytp_quantiles_add(&r->spread[i], values[i], &t->buckets)) t->failed = 1;
    }
    if (r->density) nytp_density_add(r->density, from, from + values[NYTP_TALLY_REAL]);
    add_uses(r, &process->used);
    r->n++;
}

static double microseconds(uint64_t n) { return 1e-6 * (double)n; }

void nytp_tally_add(nytp_tally *t, const nytp_built *process, const nytp_buf *classes) {
    uint64_t all = process->used.user_us + process->used.system_us, below = process->children_us;
    const double values[NYTP_TALLY_MEASURES] = {
        [NYTP_TALLY_USER] = microseconds(process->used.user_us),
        [NYTP_TALLY_SYSTEM] = microseconds(process->used.system_us),
        [NYTP_TALLY_OWN] = all > below ? microseconds(all - below) : 0,
        [NYTP_TALLY_REAL] = nytp_command_seconds(process)};
    const char *class = classes->failed ? "" : (const char *)classes->p;
    t->exceeded += below > all;
    t->failed |= classes->failed;
    for (uint32_t i = 0; i < t->lists_n && !t->failed; i++) {
        nytp_str name = nytp_str_c(class);
        nytp_tally_list *l = &t->lists[i];
        nytp_tally_row *r = name.n ? row_of(t, l, name) : NULL;
        class += name.n + 1;
        if (!r) continue;
        spread(t, &l->total);
        add(t, r, process, values);
        add(t, &l->total, process, values);
    }
}

static void free_row(nytp_tally_row *r) {
    for (int i = 0; r->spread && i < NYTP_TALLY_MEASURES; i++) nytp_quantiles_free(&r->spread[i]);
}

void nytp_tally_free(nytp_tally *t) {
    if (!t) return;
    for (uint32_t i = 0; i < t->lists_n; i++) {
        nytp_tally_list *l = &t->lists[i];
        for (uint32_t j = 0; j < l->n; j++) free_row(&l->rows[j]);
        free_row(&l->total);
        nytp_table_free(&l->by_name);
    }
    nytp_arena_free(&t->arena);
    free(t);
}
