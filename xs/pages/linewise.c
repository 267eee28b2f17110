/* SPDX-License-Identifier: MIT */
/* linewise.c - adds up the time of each line in a slice, chooses the lines that matter in some slice, and puts their
 * times and, for each file, that of its other lines. Times are sparse: a row has an entry for each slice in which it
 * has time, and what is less than a unit is carried to its next slice, so that a row's times add up. */
#include "pages/linewise.h"

#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "base/utf8.h"
#include "model/source.h"
#include "report/escape.h"
#include "report/units.h"

#define LEAST 0.01f  /* part of a slice that a line must have in one of them, to be told by itself */
#define FEW 25       /* slices; of fewer ones a line needs as much less */
#define MOST 1000u   /* such lines */
#define LETTERS 80   /* bytes of a line's source */

typedef struct times { /* by slice, in ticks */
    int64_t at[NYTP_SLICES_MOST];
} times;

typedef struct linewise {
    const nytp_html *h;
    const uint32_t *files; /* in the order of the block */
    uint32_t files_n;
    uint64_t unit;         /* ns */
    uint32_t *base;        /* by file of the profile: number of the first of its lines */
    uint32_t *line;        /* by time of the profile's places: number of its line, or NYTP_SLICES_NONE */
    uint32_t *first, *order; /* the times of line i: order[first[i]] to order[first[i + 1] - 1] */
    float *share;          /* by line: the largest of a slice; 0: it is not told by itself */
    float *ranked;         /* the shares, for choosing */
    times whole;           /* of all lines */
    nytp_buf lines, told, entries, slices, values, sources; /* columns */
} linewise;

/* ---- which times are of which line ---- */

static uint32_t slice_of(const linewise *d, uint32_t i) {
    return nytp_slices_of(&d->h->slices, &d->h->p->of_places.at[i]);
}

/* Numbers the lines of all files; returns how many there are. */
static uint32_t number_lines(const linewise *d) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < d->h->p->files_n; i++) {
        d->base[i] = n;
        n += d->h->p->files[i].level[NYTP_LEVEL_LINE].n;
    }
    return n;
}

static uint32_t line_of(const linewise *d, uint32_t i) {
    const nytp_place *place = &d->h->p->places[d->h->p->of_places.at[i].of];
    const nytp_lines *all = &d->h->p->files[place->file].level[NYTP_LEVEL_LINE];
    uint32_t at = nytp_profile_find(all->at, sizeof *all->at, all->n, place->line);
    return at < all->n && slice_of(d, i) != NYTP_SLICES_NONE ? d->base[place->file] + at : NYTP_SLICES_NONE;
}

static void sort_times(const linewise *d, uint32_t lines) {
    uint32_t n = d->h->p->of_places.n;
    for (uint32_t i = 0; i < n; i++) {
        d->line[i] = line_of(d, i);
        if (d->line[i] != NYTP_SLICES_NONE) d->first[d->line[i]]++;
    }
    for (uint32_t k = 0; k < lines; k++) d->first[k + 1] += d->first[k]; /* the ends, which the next loop moves */
    for (uint32_t i = n; i-- > 0;)
        if (d->line[i] != NYTP_SLICES_NONE) d->order[--d->first[d->line[i]]] = i;
}

static void add_line(const linewise *d, uint32_t line, times *to) {
    for (uint32_t k = d->first[line]; k < d->first[line + 1]; k++) {
        int64_t *at = &to->at[slice_of(d, d->order[k])];
        *at = nytp_ticks_add(*at, d->h->p->of_places.at[d->order[k]].value);
    }
}

static void clear_line(const linewise *d, uint32_t line, times *from) {
    for (uint32_t k = d->first[line]; k < d->first[line + 1]; k++) from->at[slice_of(d, d->order[k])] = 0;
}

/* ---- which lines are told ---- */

static int most_first(const void *a, const void *b) {
    const float *x = a, *y = b;
    return (*x < *y) - (*x > *y);
}

static float largest_share(const linewise *d, uint32_t line, times *scratch) {
    float best = 0;
    add_line(d, line, scratch);
    for (uint32_t k = d->first[line]; k < d->first[line + 1]; k++) {
        uint32_t slice = slice_of(d, d->order[k]);
        float share = (float)scratch->at[slice] / (float)(d->whole.at[slice] > 0 ? d->whole.at[slice] : 1);
        if (share > best) best = share;
    }
    clear_line(d, line, scratch);
    return best;
}

static void choose_lines(linewise *d, uint32_t lines) {
    times scratch = {{0}};
    uint32_t n = 0;
    float least = d->h->slices.n < FEW ? LEAST * (float)d->h->slices.n / FEW : LEAST;
    for (uint32_t i = 0; i < lines; i++) add_line(d, i, &d->whole);
    for (uint32_t i = 0; i < lines; i++) {
        d->share[i] = largest_share(d, i, &scratch);
        if (d->share[i] >= least) d->ranked[n++] = d->share[i];
    }
    qsort(d->ranked, n, sizeof *d->ranked, most_first);
    float too_little = n > MOST ? d->ranked[MOST] : 0;
    for (uint32_t i = 0; i < lines; i++)
        if (d->share[i] < least || d->share[i] <= too_little) d->share[i] = 0;
}

/* ---- the part of the block ---- */

static int64_t nanoseconds(const linewise *d, int64_t ticks) {
    uint64_t rate = d->h->p->ticks_per_second;
    int64_t ns = (int64_t)nytp_units_whole(ticks < 0 ? nytp_ticks_minus(0, ticks) : ticks, rate, NYTP_NANOSECONDS);
    return ticks < 0 ? -ns : ns;
}

static void put_times(linewise *d, const times *of) {
    int64_t carried = 0, unit = (int64_t)d->unit;
    uint32_t n = 0, next = 0;
    for (uint32_t i = 0; i < d->h->slices.n; i++) {
        carried = nytp_ticks_add(carried, nanoseconds(d, of->at[i]));
        int64_t units = (carried + (carried < 0 ? -unit : unit) / 2) / unit;
        if (!of->at[i] || !units) continue;
        nytp_buf_u(&d->slices, i - next);
        nytp_buf_i(&d->values, units);
        carried -= units * unit;
        next = i + 1;
        n++;
    }
    nytp_buf_u(&d->entries, n);
}

static void put_source(linewise *d, const nytp_file *f, uint32_t line) {
    nytp_str text = nytp_source_text(d->h->p, f, line);
    if (text.n > LETTERS) text.n = nytp_utf8_cut(text.p, LETTERS);
    nytp_escape_text(&d->sources, text);
    nytp_buf_byte(&d->sources, '\n');
}

static void put_file(linewise *d, uint32_t file) {
    const nytp_file *f = &d->h->p->files[file];
    const nytp_lines *all = &f->level[NYTP_LEVEL_LINE];
    times own = {{0}}, rest = {{0}};
    uint32_t n = 0, before = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        uint32_t line = d->base[file] + i, number = all->at[i].line;
        int is_told = d->share[line] > 0 && number && number != NYTP_LINE_UNKNOWN;
        add_line(d, line, is_told ? &own : &rest);
        if (!is_told) continue;
        nytp_buf_u(&d->lines, number - before);
        put_times(d, &own);
        put_source(d, f, number);
        clear_line(d, line, &own);
        before = number;
        n++;
    }
    nytp_buf_u(&d->told, n);
    put_times(d, &rest);
}

static void put_all(linewise *d, nytp_buf *out, uint32_t lines) {
    sort_times(d, lines);
    choose_lines(d, lines);
    for (uint32_t i = 0; i < d->files_n; i++) put_file(d, d->files[i]);
    nytp_buf *const columns[] = {&d->told, &d->lines, &d->entries, &d->slices, &d->values};
    nytp_buf_u(out, d->unit);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) nytp_buf_bytes(out, columns[k]->p, columns[k]->n);
    nytp_buf_str(out, nytp_page_bytes(&d->sources));
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) nytp_buf_done(columns[k], out);
    nytp_buf_done(&d->sources, out);
}

int nytp_linewise_put(nytp_buf *out, const nytp_html *h, const uint32_t *files, uint32_t n) {
    const nytp_profile *p = h->p;
    linewise d = {.h = h, .files = files, .files_n = n};
    int is_told = p->of_places.n && h->slices.n;
    nytp_buf_u(out, (uint64_t)is_told);
    if (!is_told) return NYTP_OK;
    nytp_arena arena = {0};
    uint64_t whole = nytp_units_whole(p->totals.whole, p->ticks_per_second, NYTP_NANOSECONDS);
    d.unit = whole / nytp_slices_units(&h->slices) + 1;
    d.base = nytp_arena_get(&arena, p->files_n * sizeof *d.base);
    uint32_t lines = d.base ? number_lines(&d) : 0;
    d.line = nytp_arena_get(&arena, p->of_places.n * sizeof *d.line);
    d.order = nytp_arena_get(&arena, p->of_places.n * sizeof *d.order);
    d.first = nytp_arena_get(&arena, (lines + (size_t)1) * sizeof *d.first);
    d.share = nytp_arena_get(&arena, (lines + (size_t)1) * sizeof *d.share);
    d.ranked = nytp_arena_get(&arena, (lines + (size_t)1) * sizeof *d.ranked);
    int has_memory = d.base && d.line && d.order && d.first && d.share && d.ranked;
    if (has_memory) put_all(&d, out, lines);
    nytp_arena_free(&arena);
    return has_memory ? NYTP_OK : NYTP_NOMEM;
}
