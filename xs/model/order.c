/* SPDX-License-Identifier: MIT */
/* order.c - which rows come first, and how hot a row is. */
#include "model/order.h"

#include <stdlib.h>

#include "model/quantile.h"

typedef struct entry {
    int64_t key;
    nytp_str name;
    uint32_t index;
} entry;

static int most_first(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->key != y->key) return x->key > y->key ? -1 : 1;
    int names = nytp_str_cmp(x->name, y->name);
    return names ? names : x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts e[0..n) and turns it into the caller's array; frees e. */
static uint32_t *indexes(entry *e, uint32_t n) {
    uint32_t *out = malloc((n + 1u) * sizeof *out);
    if (out) qsort(e, n, sizeof *e, most_first);
    for (uint32_t i = 0; out && i < n; i++) out[i] = e[i].index;
    free(e);
    return out;
}

static int64_t sub_key(const nytp_sub *s, enum nytp_order by) {
    if (by == NYTP_ORDER_NAME) return 0;
    if (by == NYTP_ORDER_CALLS) return s->calls;
    if (by == NYTP_ORDER_P99) return s->lengths ? (int64_t)nytp_quantile_of(s->lengths, 990) : -1;
    if (by == NYTP_ORDER_LONGEST) return s->lengths ? (int64_t)nytp_quantile_longest(s->lengths) : -1;
    return by == NYTP_ORDER_INCLUSIVE ? s->inclusive : s->exclusive;
}

uint32_t *nytp_order_subs(const nytp_profile *p, enum nytp_order by, uint32_t *n) {
    entry *e = malloc((p->subs_n + 1u) * sizeof *e);
    *n = 0;
    if (!e) return NULL;
    for (uint32_t i = 1; i < p->subs_n; i++) /* without the root */
        if (nytp_profile_sub_called(&p->subs[i])) e[(*n)++] = (entry){sub_key(&p->subs[i], by), p->subs[i].name, i};
    return indexes(e, *n);
}

static int is_row(const nytp_profile *p, uint32_t sub, int uncalled) {
    const nytp_sub *s = &p->subs[sub];
    return s->calls || s->exclusive || s->inclusive || (uncalled && s->moved == sub && s->file);
}

uint32_t *nytp_order_all(const nytp_profile *p, enum nytp_order by, int uncalled, uint32_t *n) {
    entry *e = malloc((p->subs_n + 1u) * sizeof *e);
    *n = 0;
    if (!e) return NULL;
    for (uint32_t i = 0; i < p->subs_n; i++)
        if (is_row(p, i, uncalled)) e[(*n)++] = (entry){sub_key(&p->subs[i], by), p->subs[i].name, i};
    return indexes(e, *n);
}

uint32_t *nytp_order_file_subs(const nytp_profile *p, const nytp_file *f, enum nytp_order by, uint32_t *n) {
    entry *e = malloc((f->subs.n + 1u) * sizeof *e);
    *n = 0;
    if (!e) return NULL;
    for (uint32_t i = 0; i < f->subs.n; i++) {
        const nytp_sub *s = &p->subs[p->defined[f->subs.first + i]];
        if (nytp_profile_sub_called(s)) e[(*n)++] = (entry){sub_key(s, by), s->name, (uint32_t)(s - p->subs)};
    }
    return indexes(e, *n);
}

uint32_t *nytp_order_files(const nytp_profile *p, uint32_t *n) {
    entry *e = malloc((p->files_n + 1u) * sizeof *e);
    *n = 0;
    if (!e) return NULL;
    for (uint32_t i = 0; i < p->files_n; i++)
        if (nytp_profile_file_used(&p->files[i])) e[(*n)++] = (entry){p->files[i].ticks, p->files[i].name, i};
    return indexes(e, *n);
}

/* Hot lines have no growth. */
static int by_growth_or_time(const void *a, const void *b) {
    const nytp_order_line *x = a, *y = b;
    if (x->growth != y->growth) return x->growth > y->growth ? -1 : 1;
    if (!x->growth && x->line->ticks != y->line->ticks) return x->line->ticks > y->line->ticks ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->line->line < y->line->line ? -1 : x->line->line > y->line->line;
}

/* of NULL: hot lines; else those that grow. Returns how many there are; fills lines unless it is NULL. */
static uint32_t find_lines(const nytp_profile *p, const nytp_metrics_pair *of, nytp_order_line *lines) {
    uint32_t n = 0;
    for (uint32_t file = 1; file < p->files_n; file++) {
        const nytp_lines *all = &p->files[file].level[NYTP_LEVEL_LINE];
        for (uint32_t i = 0; i < all->n; i++) {
            const nytp_line *l = &all->at[i];
            int64_t growth = of ? nytp_metrics_grown(p, *of, l->values) : 0;
            int is_line = l->line && l->line != NYTP_LINE_UNKNOWN;
            int is_hot = !of && nytp_order_heat(nytp_profile_told(l->ticks, l->spread), p->totals.whole);
            if (!is_line || !(is_hot || growth > 0)) continue;
            if (lines) lines[n] = (nytp_order_line){l, file, growth};
            n++;
        }
    }
    return n;
}

static nytp_order_line *sorted_lines(const nytp_profile *p, const nytp_metrics_pair *of, uint32_t *n) {
    *n = find_lines(p, of, NULL);
    nytp_order_line *lines = malloc((*n + 1u) * sizeof *lines);
    if (!lines) return NULL;
    find_lines(p, of, lines);
    qsort(lines, *n, sizeof *lines, by_growth_or_time);
    return lines;
}

nytp_order_line *nytp_order_hot_lines(const nytp_profile *p, uint32_t *n) { return sorted_lines(p, NULL, n); }

nytp_order_line *nytp_order_growing_lines(const nytp_profile *p, nytp_metrics_pair of, uint32_t *n) {
    return sorted_lines(p, &of, n);
}

int nytp_order_heat(int64_t ticks, int64_t total) {
    static const double steps[NYTP_ORDER_HOTTEST] = {0.0003, 0.001, 0.004, 0.015, 0.05, 0.15, 0.5};
    int heat = 0;
    if (total <= 0 || ticks <= 0) return 0;
    while (heat < NYTP_ORDER_HOTTEST && (double)ticks >= steps[heat] * (double)total) heat++;
    return heat;
}
