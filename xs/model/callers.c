/* SPDX-License-Identifier: MIT */
/* callers.c - calling contexts of one sub, merged from the sub up. */
#include "model/callers.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"

/* ---- rows ---- */

static int is_same(const void *of, uint32_t number, const void *like) {
    const nytp_caller *a = &((const nytp_callers *)of)->at[number], *b = like;
    return a->parent == b->parent && a->sub == b->sub && a->file == b->file && a->line == b->line;
}

static uint64_t hash_of(const nytp_caller *row) {
    const uint32_t key[] = {row->parent, row->sub, row->file, row->line};
    return nytp_str_hash((nytp_str){(const char *)key, sizeof key});
}

/* The index of a new row; 0, that of the first, also when memory is short. */
static uint32_t append(nytp_callers *c, const nytp_caller *like) {
    nytp_caller *row = nytp_grow(&c->arena, &c->at, c->n, &c->room, sizeof *row);
    if (!row) return 0;
    *row = *like;
    return c->n++;
}

/* The row of that caller, made if it is new. 0 when memory is short. Until rows are linked, a row's child is the one
 * that was asked for last: contexts of a recursion ask for the same ones again, at each of many levels. */
static uint32_t row_of(nytp_callers *c, uint32_t parent, uint32_t sub, uint32_t file, uint32_t line) {
    const nytp_caller like = {.sub = sub, .file = file, .line = line, .parent = parent,
                              .level = c->at[parent].level + 1};
    uint32_t latest = c->at[parent].child;
    if (latest && is_same(c, latest, &like)) return latest;
    uint32_t *number = nytp_table_at(&c->found, hash_of(&like), is_same, c, &like);
    if (number && !*number) *number = append(c, &like);
    if (!number || !*number) return 0;
    return c->at[parent].child = *number;
}

static void add(nytp_caller *row, int64_t calls, int64_t self, int64_t total) {
    row->calls = nytp_ticks_add(row->calls, calls);
    row->self = nytp_ticks_add(row->self, self);
    row->total = nytp_ticks_add(row->total, total);
}

/* ---- contexts ---- */

/* Where a context was called. Those of format 5 do not tell, but there is no doubt where its caller calls it from one
 * line only. */
static void find_place(const nytp_profile *p, const nytp_node *node, uint32_t *file, uint32_t *line) {
    nytp_slice callers = p->subs[node->sub].callers;
    uint32_t caller = p->nodes[node->parent].sub, lines = 0;
    *file = node->file;
    *line = node->line;
    if (node->line != NYTP_LINE_UNKNOWN) return;
    for (uint32_t i = 0; i < callers.n; i++) {
        const nytp_edge *e = &p->edges[callers.first + i];
        if (e->caller != caller || lines++) continue;
        *file = e->file;
        *line = e->line;
    }
    if (lines == 1) return;
    *file = 0;
    *line = NYTP_LINE_UNKNOWN;
}

/* Whether nothing is known of a context's callers: it only calls what is left of the profile (below.h). */
static int is_cut_off(const nytp_node *node) { return node->line == NYTP_LINE_UNKNOWN && !node->file && !node->calls; }

static enum nytp_code add_context(nytp_callers *c, const nytp_profile *p, uint32_t node, uint32_t depth) {
    const nytp_node *of = &p->nodes[node];
    int64_t total = of->depth ? 0 : of->inclusive;
    uint32_t row = 0;
    add(&c->at[0], of->calls, of->exclusive, total);
    for (uint32_t at = node, level = 0, file, line; level < depth; level++) {
        const nytp_node *called = &p->nodes[at];
        if (at == NYTP_ROOT || p->subs[called->sub].flags & NYTP_SUB_PHASE || is_cut_off(called)) break;
        find_place(p, called, &file, &line);
        at = called->parent;
        row = row_of(c, row, p->nodes[at].sub, file, line);
        if (!row) return NYTP_NOMEM;
        add(&c->at[row], of->calls, of->exclusive, total);
    }
    return NYTP_OK;
}

static enum nytp_code add_contexts(nytp_callers *c, const nytp_profile *p, uint32_t sub, uint32_t depth) {
    enum nytp_code code = NYTP_OK;
    for (uint32_t i = 1; i < p->nodes_n && !code; i++) {
        const nytp_node *node = &p->nodes[i];
        if (node->sub == sub && (node->calls || node->inclusive)) code = add_context(c, p, i, depth);
    }
    return code;
}

/* Edges have the lines of direct callers in any case, also in a file of format 5 without contexts. */
static enum nytp_code add_edges(nytp_callers *c, const nytp_profile *p, uint32_t sub) {
    nytp_slice callers = p->subs[sub].callers;
    for (uint32_t i = 0; i < callers.n; i++) {
        const nytp_edge *e = &p->edges[callers.first + i];
        uint32_t row = row_of(c, 0, e->caller, e->file, e->line);
        if (!row) return NYTP_NOMEM;
        add(&c->at[0], e->calls, e->exclusive, e->inclusive);
        add(&c->at[row], e->calls, e->exclusive, e->inclusive);
    }
    return NYTP_OK;
}

/* A main program, or a phase of it, which has no callers but has time. */
static void add_phase(nytp_callers *c, const nytp_profile *p, uint32_t sub) {
    add(&c->at[0], p->subs[sub].calls, p->subs[sub].exclusive, p->subs[sub].inclusive);
}

/* ---- order ---- */

typedef struct entry {
    uint32_t row, file, line;
    int64_t key, other;
} entry;

/* Each is linked in front of its siblings before it, so the last is the first here. */
static int last_first(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    if (x->other != y->other) return x->other < y->other ? -1 : 1;
    if (x->file != y->file) return x->file > y->file ? -1 : 1;
    if (x->line != y->line) return x->line > y->line ? -1 : 1;
    return x->row > y->row ? -1 : x->row < y->row;
}

static enum nytp_code link_rows(nytp_callers *c, int by_calls) {
    entry *order = malloc(c->n * sizeof *order);
    if (!order) return NYTP_NOMEM;
    for (uint32_t i = 1; i < c->n; i++) {
        const nytp_caller *row = &c->at[i];
        order[i - 1] = (entry){.row = i, .key = by_calls ? row->calls : row->total,
                               .other = by_calls ? row->total : row->calls, .file = row->file, .line = row->line};
    }
    for (uint32_t i = 0; i < c->n; i++) c->at[i].child = 0;
    if (c->n > 1) qsort(order, c->n - 1, sizeof *order, last_first);
    for (uint32_t i = 0; i + 1 < c->n; i++) {
        nytp_caller *row = &c->at[order[i].row], *parent = &c->at[row->parent];
        row->next = parent->child;
        parent->child = order[i].row;
    }
    free(order);
    return NYTP_OK;
}

enum nytp_code nytp_callers_find(nytp_callers *c, const nytp_profile *p, uint32_t sub, uint32_t depth, int by_calls) {
    const nytp_caller self = {.sub = sub};
    append(c, &self);
    if (!c->n) return NYTP_NOMEM;
    if (p->subs[sub].flags & NYTP_SUB_PHASE) {
        add_phase(c, p, sub);
        return NYTP_OK;
    }
    enum nytp_code code = depth > 1 ? add_contexts(c, p, sub, depth) : NYTP_OK;
    c->is_cut = depth > 1 && c->n == 1 && p->subs[sub].callers.n;
    if (!code && c->n == 1) code = add_edges(c, p, sub);
    return code ? code : link_rows(c, by_calls);
}

uint32_t nytp_callers_next(const nytp_callers *c, uint32_t i, int skips) {
    if (c->at[i].child && !skips) return c->at[i].child;
    while (i && !c->at[i].next) i = c->at[i].parent;
    return i ? c->at[i].next : 0;
}

void nytp_callers_free(nytp_callers *c) {
    nytp_table_free(&c->found);
    nytp_arena_free(&c->arena);
    *c = (nytp_callers){0};
}
