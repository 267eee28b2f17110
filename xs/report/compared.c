/* SPDX-License-Identifier: MIT */
/* compared.c - the subs of profiles of two sides. */
#include "report/compared.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/source.h"
#include "report/names.h"
#include "report/page.h"
#include "report/paired.h"
#include "report/text.h"

/* ---- names ---- */

static size_t digits_at(nytp_str s, size_t i) {
    size_t n = 0;
    while (i + n < s.n && s.p[i + n] >= '0' && s.p[i + n] <= '9') n++;
    return n;
}

/* The digits at i, if they are the number of an eval: (eval 17), (re_eval 17). */
static size_t eval_digits(nytp_str s, size_t i) {
    static const char word[] = "eval ";
    size_t length = sizeof word - 1;
    size_t n = i >= length && memcmp(s.p + i - length, word, length) == 0 ? digits_at(s, i) : 0;
    return n && i + n < s.n && s.p[i + n] == ')' ? n : 0;
}

/* The digits at i, if they are the number of a line: [main.pl:17], <main.lua:17>, BEGIN@17. */
static size_t line_digits(nytp_str s, size_t i) {
    int before = i ? s.p[i - 1] : 0;
    if ((before != ':' && before != '@') || (i > 1 && s.p[i - 2] == ':')) return 0;
    size_t n = digits_at(s, i);
    int behind = i + n < s.n ? s.p[i + n] : 0;
    int is_end = before == '@' ? i + n == s.n : behind == ']' || behind == '>';
    return n && is_end ? n : 0;
}

/* Numbers beyond those of lines become the largest. */
static uint32_t number_of(nytp_str s, size_t i, size_t n) {
    uint64_t number = 0;
    for (size_t k = 0; k < n && number <= UINT32_MAX; k++) number = number * 10 + (uint64_t)(s.p[i + k] - '0');
    return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

void nytp_compared_name(nytp_buf *name, nytp_str s) {
    size_t begin = 0;
    for (size_t i = 0; i < s.n;) {
        size_t n = eval_digits(s, i);
        if (n) {
            nytp_buf_bytes(name, s.p + begin, i - begin);
            nytp_text_put(name, "0");
            begin = i + n;
        }
        i += n ? n : 1;
    }
    nytp_buf_bytes(name, s.p + begin, s.n - begin);
}

/* The name without the numbers of lines, which are the sub's lines. */
static void put_group(nytp_buf *group, nytp_compared_sub *sub) {
    nytp_str s = sub->name;
    size_t begin = 0;
    for (size_t i = 0; i < s.n;) {
        size_t n = line_digits(s, i);
        if (n) {
            sub->lines[1] = number_of(s, i, n);
            if (!sub->lines[0]) sub->lines[0] = sub->lines[1];
            nytp_buf_bytes(group, s.p + begin, i - begin);
            begin = i + n;
        }
        i += n ? n : 1;
    }
    nytp_buf_bytes(group, s.p + begin, s.n - begin);
}

/* ---- subs ---- */

static int is_sub(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_compared *)of)->subs[number - 1].name, *(const nytp_str *)like);
}

static int is_group(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_compared *)of)->groups[number - 1], *(const nytp_str *)like);
}

/* 0 if memory is short, else the group's number. */
static uint32_t group_of(nytp_compared *c, nytp_str name) {
    uint32_t *number = nytp_table_at(&c->by_group, nytp_str_hash(name), is_group, c, &name);
    uint32_t known = number ? *number : 0;
    if (known) return known;
    nytp_str *group = number ? nytp_grow(&c->arena, &c->groups, c->groups_n, &c->groups_room, sizeof *group) : NULL;
    if (!group) return 0;
    *group = nytp_arena_str(&c->arena, name);
    return group->p ? *number = ++c->groups_n : 0;
}

static int fill(nytp_compared *c, nytp_compared_sub *sub, nytp_str name) {
    nytp_buf group = {0};
    size_t values = ((size_t)c->n[0] + c->n[1]) * NYTP_COMPARED_VALUES;
    sub->name = nytp_arena_str(&c->arena, name);
    sub->values = nytp_arena_get(&c->arena, values * sizeof *sub->values);
    if (!sub->name.p || !sub->values) return 0;
    put_group(&group, sub);
    sub->group = group.failed ? 0 : group_of(c, nytp_page_bytes(&group));
    nytp_buf_free(&group);
    return sub->group != 0;
}

/* NULL if memory is short. */
static nytp_compared_sub *sub_of(nytp_compared *c, nytp_str name) {
    uint32_t *number = nytp_table_at(&c->by_name, nytp_str_hash(name), is_sub, c, &name);
    if (number && *number) return &c->subs[*number - 1];
    nytp_compared_sub *sub = number ? nytp_grow(&c->arena, &c->subs, c->subs_n, &c->subs_room, sizeof *sub) : NULL;
    if (!sub || !fill(c, sub, name)) return NULL;
    *number = ++c->subs_n;
    return sub;
}

static uint64_t text_of(const nytp_profile *p, const nytp_sub *s) {
    nytp_str text = s->first_line ? nytp_source_text(p, &p->files[s->file], s->first_line) : (nytp_str){NULL, 0};
    return text.n ? nytp_str_hash(text) | 1 : 0;
}

static int has_run(const nytp_sub *s) { return s->calls || s->exclusive || s->inclusive; }

static void add(nytp_compared_sub *sub, uint32_t profile, const nytp_sub *s) {
    int64_t *values = sub->values + (size_t)profile * NYTP_COMPARED_VALUES;
    const int64_t more[] = {[NYTP_COMPARED_CALLS] = s->calls, [NYTP_COMPARED_OWN] = s->exclusive,
                            [NYTP_COMPARED_WHOLE] = s->inclusive};
    for (int i = 0; i < NYTP_COMPARED_VALUES; i++) values[i] = nytp_ticks_add(values[i], more[i]);
}

static void take_figures(nytp_compared *c, const nytp_profile *p) {
    int64_t *figures = c->figures[c->taken];
    figures[NYTP_COMPARED_STATEMENTS] = p->totals.statements;
    figures[NYTP_COMPARED_ALL_CALLS] = p->totals.calls;
    figures[NYTP_COMPARED_PROFILED] = p->totals.whole;
    figures[NYTP_COMPARED_ELAPSED] = p->totals.elapsed;
    c->is_uncounted |= p->is_uncounted;
    c->is_seen |= p->is_seen;
}

enum nytp_code nytp_compared_take(nytp_compared *c, const nytp_profile *p) {
    int side = nytp_compared_side(c), is_fine = 1;
    const nytp_renamed none = {{NULL, 0}, {NULL, 0}};
    nytp_buf shown = {0}, now = {0}, name = {0};
    for (uint32_t i = 0; i < p->subs_n && is_fine; i++) {
        const nytp_sub *s = &p->subs[i];
        if (!has_run(s)) continue;
        nytp_buf_rewind(&now);
        nytp_buf_rewind(&name);
        nytp_names_renamed(&now, nytp_names_shown(&shown, p, s), side == NYTP_COMPARED_OLD ? &c->renamed : &none);
        nytp_compared_name(&name, nytp_page_bytes(&now));
        nytp_compared_sub *sub =
            shown.failed || now.failed || name.failed ? NULL : sub_of(c, nytp_page_bytes(&name));
        is_fine = sub != NULL;
        if (!sub) continue;
        sub->on[side] = 1;
        if (!sub->text[side]) sub->text[side] = text_of(p, s);
        add(sub, c->taken, s);
    }
    nytp_buf_free(&shown);
    nytp_buf_free(&now);
    nytp_buf_free(&name);
    take_figures(c, p);
    c->taken++;
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

/* ---- rows ---- */

static int add_row(nytp_compared *c, const nytp_compared_sub *old, const nytp_compared_sub *new) {
    nytp_compared_row *row = nytp_grow(&c->arena, &c->rows, c->rows_n, &c->rows_room, sizeof *row);
    if (!row) return 0;
    *row = (nytp_compared_row){.name = new ? new->name : old->name, .old = old ? old->values : NULL,
                               .new = new ? new->values : NULL};
    c->rows_n++;
    return 1;
}

/* First what is on the old side, then what is on the new side only. */
static int make_rows(nytp_compared *c, const uint32_t *partners, unsigned char *is_partner) {
    int is_fine = 1;
    for (uint32_t i = 0; i < c->subs_n && is_fine; i++) {
        uint32_t partner = partners[i];
        if (!c->subs[i].on[NYTP_COMPARED_OLD]) continue;
        if (partner != NYTP_PAIRED_NONE) is_partner[partner] = 1;
        is_fine = add_row(c, &c->subs[i], partner == NYTP_PAIRED_NONE ? NULL : &c->subs[partner]);
    }
    for (uint32_t i = 0; i < c->subs_n && is_fine; i++)
        if (c->subs[i].on[NYTP_COMPARED_NEW] && !is_partner[i]) is_fine = add_row(c, NULL, &c->subs[i]);
    return is_fine;
}

enum nytp_code nytp_compared_end(nytp_compared *c) {
    uint32_t *partners = nytp_paired_make(c->subs, c->subs_n);
    unsigned char *is_partner = calloc(c->subs_n + (size_t)1, 1);
    int is_fine = partners && is_partner && make_rows(c, partners, is_partner);
    free(partners);
    free(is_partner);
    return is_fine ? NYTP_OK : NYTP_NOMEM;
}

static double mean(const nytp_compared *c, int side, const int64_t *values, size_t stride) {
    uint32_t first = side == NYTP_COMPARED_OLD ? 0 : c->n[NYTP_COMPARED_OLD];
    double sum = 0;
    for (uint32_t i = first; i < first + c->n[side]; i++) sum += (double)values[i * stride];
    return sum / c->n[side];
}

double nytp_compared_mean(const nytp_compared *c, const nytp_compared_row *row, int side,
                          enum nytp_compared_value value) {
    const int64_t *values = side == NYTP_COMPARED_OLD ? row->old : row->new;
    return values ? mean(c, side, values + value, NYTP_COMPARED_VALUES) : 0;
}

double nytp_compared_total(const nytp_compared *c, int side, enum nytp_compared_figure figure) {
    return mean(c, side, &c->figures[0][figure], NYTP_COMPARED_FIGURES);
}

/* ---- their order ---- */

typedef struct key {
    double size; /* of the change */
    const nytp_compared_row *row;
} key;

static int by_size(const void *a, const void *b) {
    const key *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    int order = nytp_str_cmp(x->row->name, y->row->name);
    for (int side = 1; side >= 0 && !order; side--)
        order = (x->row->lines[side] > y->row->lines[side]) - (x->row->lines[side] < y->row->lines[side]);
    return order;
}

const nytp_compared_row **nytp_compared_sorted(const nytp_compared *c, enum nytp_compared_value value) {
    const nytp_compared_row **rows = malloc((c->rows_n + (size_t)1) * sizeof *rows);
    key *keys = malloc((c->rows_n + (size_t)1) * sizeof *keys);
    for (uint32_t i = 0; keys && i < c->rows_n; i++) {
        const nytp_compared_row *row = &c->rows[i];
        double by = nytp_compared_mean(c, row, NYTP_COMPARED_NEW, value) -
                    nytp_compared_mean(c, row, NYTP_COMPARED_OLD, value);
        keys[i] = (key){by < 0 ? -by : by, row};
    }
    if (keys) qsort(keys, c->rows_n, sizeof *keys, by_size);
    for (uint32_t i = 0; keys && rows && i < c->rows_n; i++) rows[i] = keys[i].row;
    if (!keys) free(rows);
    free(keys);
    return keys ? rows : NULL;
}

void nytp_compared_free(nytp_compared *c) {
    nytp_table_free(&c->by_name);
    nytp_table_free(&c->by_group);
    nytp_arena_free(&c->arena);
    *c = (nytp_compared){0};
}
