/* SPDX-License-Identifier: MIT */
/* tally.c - what the processes of a build have used, by classes. */
#include "report/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/table.h"
#include "report/text.h"

#define CLASS_WIDTH 11
#define BAR 50           /* columns */
#define CLASSES 10000u   /* of a schema; more are one class */

enum measure { USER, SYSTEM, OWN, REAL, MEASURES };

static const char *const titles[MEASURES] = {
    "User CPU time per process, including children", "System CPU time per process, including children",
    "CPU time per process, without children", "Real time per process"};

typedef struct sum {
    double total, least, most;
} sum;

typedef struct row {
    nytp_str name;
    uint64_t n;
    int64_t first, last; /* begin of the first process, end of the last one */
    sum of[MEASURES];    /* seconds */
} row;

typedef struct list {
    row *rows;
    uint32_t n, room;
    nytp_table by_name;
    row total;
} list;

struct nytp_tally {
    nytp_arena arena;
    list *lists;
    uint32_t lists_n;
    uint64_t exceeded;
    int32_t failed;
};

/* ---- gathering ---- */

nytp_tally *nytp_tally_make(uint32_t schemata) {
    nytp_tally *t = calloc(1, sizeof *t);
    if (t) t->lists = nytp_arena_get(&t->arena, (schemata + !schemata) * sizeof *t->lists);
    if (t && t->lists) return t->lists_n = schemata, t;
    nytp_tally_free(t);
    return NULL;
}

static int is_same(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const list *)of)->rows[number - 1].name, *(const nytp_str *)like);
}

static row *row_of(nytp_tally *t, list *l, nytp_str name) {
    nytp_str kept = l->n < CLASSES ? name : NYTP_LIT("(others)");
    uint32_t *number = nytp_table_at(&l->by_name, nytp_str_hash(kept), is_same, l, &kept);
    if (number && *number) return &l->rows[*number - 1];
    row *new = number ? nytp_grow(&t->arena, &l->rows, l->n, &l->room, sizeof *new) : NULL;
    if (new) new->name = nytp_arena_str(&t->arena, kept);
    if (!new || !new->name.p) return t->failed = 1, NULL;
    *number = ++l->n;
    return new;
}

static void add(row *r, const nytp_built *process, const double values[MEASURES]) {
    if (!r->n || process->began < r->first) r->first = process->began;
    if (!r->n || process->ended > r->last) r->last = process->ended;
    for (int i = 0; i < MEASURES; i++) {
        sum *s = &r->of[i];
        s->total += values[i];
        if (!r->n || values[i] < s->least) s->least = values[i];
        if (!r->n || values[i] > s->most) s->most = values[i];
    }
    r->n++;
}

void nytp_tally_add(nytp_tally *t, const nytp_built *process, const nytp_buf *classes) {
    uint64_t all = process->used.user_us + process->used.system_us, below = process->children_us;
    const double values[MEASURES] = {
        [USER] = 1e-6 * (double)process->used.user_us, [SYSTEM] = 1e-6 * (double)process->used.system_us,
        [OWN] = all > below ? 1e-6 * (double)(all - below) : 0,
        [REAL] = 1e-9 * ((double)process->ended - (double)process->began)};
    const char *class = classes->failed ? "" : (const char *)classes->p;
    t->exceeded += below > all;
    t->failed |= classes->failed;
    for (uint32_t i = 0; i < t->lists_n && !t->failed; i++) {
        nytp_str name = nytp_str_c(class);
        row *r = name.n ? row_of(t, &t->lists[i], name) : NULL;
        class += name.n + 1;
        if (!r) continue;
        add(r, process, values);
        add(&t->lists[i].total, process, values);
    }
}

uint64_t nytp_tally_exceeded(const nytp_tally *t) { return t->exceeded; }

/* ---- tables ---- */

void nytp_tally_number(nytp_buf *out, double value) {
    if (!isfinite(value)) nytp_text_format(out, "   -    ");
    else if (value > 9999.999) nytp_text_format(out, "%8.02E", value);
    else if (value > 0.009) nytp_text_format(out, "%8.03f", value);
    else if (value > 1e-9) nytp_text_format(out, "%8.02e", value);
    else nytp_text_format(out, "   0    ");
}

/* Shares are cut, not rounded. */
static void put_share(nytp_buf *out, double part, double whole) {
    char text[16];
    snprintf(text, sizeof text, "(%d%%)", whole > 0 ? (int)(100.1 * part / whole) : 0);
    nytp_text_format(out, " %-7s", text);
}

static void put_name(nytp_buf *out, nytp_str name) {
    size_t n = 0;
    for (; n < CLASS_WIDTH && n < name.n; n++) {
        unsigned char c = (unsigned char)name.p[n];
        nytp_buf_byte(out, c >= ' ' && c <= '~' ? c : '?');
    }
    for (; n <= CLASS_WIDTH; n++) nytp_buf_byte(out, ' ');
}

static void put_row(nytp_buf *out, const row *r, const row *total, int measure) {
    const sum *s = &r->of[measure];
    put_name(out, r->name);
    nytp_text_format(out, "%8g", (double)r->n);
    put_share(out, (double)r->n, (double)total->n);
    nytp_tally_number(out, s->total);
    put_share(out, s->total, total->of[measure].total);
    nytp_tally_number(out, s->least);
    nytp_text_format(out, "  ");
    nytp_tally_number(out, s->total / (double)r->n);
    nytp_text_format(out, "  ");
    nytp_tally_number(out, s->most);
    nytp_text_format(out, "\n");
}

static int column(int64_t at, const row *total) {
    double span = (double)total->last - (double)total->first;
    return span > 0 ? (int)((BAR - 1) * ((double)at - (double)total->first) / span) : 0;
}

/* From the begin of the first process to the end of the last one, with the time in the middle if there is room. */
static void put_bar(nytp_buf *out, const row *r, const row *total, char fill) {
    char bar[BAR + 1], label[32];
    int from = column(r->first, total), to = column(r->last, total), width = to - from + 1;
    int n = snprintf(label, sizeof label, "%.3g s", 1e-9 * ((double)r->last - (double)r->first));
    memset(bar, ' ', BAR);
    memset(bar + from, fill, (size_t)width);
    bar[from] = bar[to] = '|';
    bar[BAR] = 0;
    if (width > n + 4)
        for (int i = 0; i < n; i++) bar[from + (width - n) / 2 + i] = label[i];
    while (to < BAR - 1) bar[++to] = 0;
    put_name(out, r->name);
    nytp_text_format(out, "%s\n", bar);
}

static double key_of(const row *r, int measure, enum nytp_tally_sort sort) {
    if (sort == NYTP_TALLY_TOTAL) return r->of[measure].total;
    if (sort == NYTP_TALLY_MEAN) return r->of[measure].total / (double)r->n;
    if (sort == NYTP_TALLY_MAX) return r->of[measure].most;
    return sort == NYTP_TALLY_COUNT ? (double)r->n : -1e-9 * (double)r->first;
}

typedef struct place {
    const row *r;
    double key;
} place;

static int by_key(const void *a, const void *b) {
    const place *x = a, *y = b;
    if (x->key != y->key) return x->key > y->key ? -1 : 1;
    if (x->r->first != y->r->first) return x->r->first < y->r->first ? -1 : 1;
    return x->r < y->r ? -1 : x->r > y->r;
}

static place *ordered(const list *l, int measure, enum nytp_tally_sort sort) {
    place *order = calloc(l->n + !l->n, sizeof *order);
    for (uint32_t i = 0; order && i < l->n; i++)
        order[i] = (place){&l->rows[i], key_of(&l->rows[i], measure, sort)};
    if (order) qsort(order, l->n, sizeof *order, by_key);
    return order;
}

static void put_table(nytp_buf *out, const list *l, int measure, enum nytp_tally_sort sort) {
    place *order = ordered(l, measure, sort);
    out->failed |= !order;
    nytp_text_format(out, "\n%s:\n\n%-12s%8s %-7s%8s %-7s%8s  %8s  %8s\n", titles[measure], "", "n", "", "total",
                     "", "minimum", "mean", "maximum");
    for (uint32_t i = 0; order && i < l->n; i++) put_row(out, order[i].r, &l->total, measure);
    put_row(out, &l->total, &l->total, measure);
    free(order);
}

void nytp_tally_put(nytp_buf *out, const nytp_tally *t, uint32_t schema, nytp_str name, enum nytp_tally_sort sort) {
    list *l = &t->lists[schema];
    place *order = ordered(l, REAL, NYTP_TALLY_FIRST);
    out->failed |= t->failed || !order;
    l->total.name = NYTP_LIT("TOTAL");
    if (l->n) {
        nytp_text_format(out, "\nSTATISTICS BY %.*s\n\nOverall real time (start of first to end of last):\n\n",
                         (int)(name.n < 100 ? name.n : 100), name.p);
        for (uint32_t i = 0; order && i < l->n; i++) put_bar(out, order[i].r, &l->total, '-');
        put_bar(out, &l->total, &l->total, '=');
        for (int i = 0; i < MEASURES; i++) put_table(out, l, i, sort);
    }
    free(order);
}

void nytp_tally_free(nytp_tally *t) {
    if (!t) return;
    for (uint32_t i = 0; i < t->lists_n; i++) nytp_table_free(&t->lists[i].by_name);
    nytp_arena_free(&t->arena);
    free(t);
}
