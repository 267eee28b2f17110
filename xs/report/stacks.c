/* SPDX-License-Identifier: MIT */
/* stacks.c - names of frames, and their order. */
#include "report/stacks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "report/names.h"
#include "report/page.h"
#include "report/text.h"

/* ---- names ---- */

static int is_named(const void *of, uint32_t number, const void *name) {
    return nytp_str_eq(((const nytp_stacks *)of)->names[number - 1], *(const nytp_str *)name);
}

/* The name's number; UINT32_MAX when memory is short. is_kept: the name lives as long as s. */
static uint32_t number_of(nytp_stacks *s, nytp_str name, int is_kept) {
    uint32_t *found = nytp_table_at(&s->numbers, nytp_str_hash(name), is_named, s, &name);
    if (found && *found) return *found - 1;
    nytp_str *at = found ? nytp_grow(&s->tree.arena, &s->names, s->names_n, &s->names_room, sizeof *at) : NULL;
    if (at) *at = is_kept ? name : nytp_arena_str(&s->tree.arena, name);
    if (!at || !at->p) return UINT32_MAX;
    *found = ++s->names_n;
    return *found - 1;
}

uint32_t nytp_stacks_push(nytp_stacks *s, uint32_t parent, nytp_str name) {
    uint32_t number = number_of(s, name, 1);
    return number == UINT32_MAX ? UINT32_MAX : nytp_calltree_child(&s->tree, parent, number);
}

/* ---- from a profile ---- */

/* The numbers of all subs, to be freed; NULL when memory is short. */
static uint32_t *number_subs(nytp_stacks *s, const nytp_profile *p) {
    uint32_t *numbers = malloc((p->subs_n + 1u) * sizeof *numbers);
    nytp_buf frame = {0}, renamed = {0};
    int failed = !numbers;
    for (uint32_t i = 0; i < p->subs_n && !failed; i++) {
        nytp_buf_clear(&frame);
        nytp_buf_clear(&renamed);
        nytp_names_frame(&frame, &p->subs[i]);
        if (s->renamed) nytp_names_renamed(&renamed, nytp_page_bytes(&frame), s->renamed);
        const nytp_buf *name = s->renamed ? &renamed : &frame;
        numbers[i] = frame.failed || renamed.failed ? UINT32_MAX : number_of(s, nytp_page_bytes(name), 0);
        failed = numbers[i] == UINT32_MAX;
    }
    nytp_buf_free(&frame);
    nytp_buf_free(&renamed);
    if (!failed) return numbers;
    free(numbers);
    return NULL;
}

int nytp_stacks_profile(nytp_stacks *s, const nytp_profile *p, const nytp_calltree_options *options) {
    uint32_t *numbers = number_subs(s, p);
    s->least = nytp_calltree_least(p, options);
    int code = numbers ? nytp_calltree_profile(&s->tree, p, numbers, options) : NYTP_NOMEM;
    free(numbers);
    return code;
}

void nytp_stacks_prune(nytp_stacks *s, double share) {
    nytp_calltree_sum(&s->tree);
    if (s->tree.n) nytp_calltree_merge(&s->tree, (int64_t)((double)s->tree.at[0].total * share));
}

/* The first frames of paths have no caller, and stay. */
static void merge_small(nytp_stacks *s) {
    nytp_calltree *t = &s->tree;
    for (uint32_t i = 1; i < t->n; i++)
        if (t->at[i].depth == 1) t->at[i].is_needed = 1;
    nytp_calltree_sum(t);
    nytp_calltree_merge(t, s->least);
}

/* ---- order ---- */

typedef struct key {
    nytp_str text;
    uint32_t number;
} key;

static int by_text(const void *a, const void *b) {
    return nytp_str_cmp(((const key *)a)->text, ((const key *)b)->text);
}

static uint32_t deepest_first(const nytp_calltree *t, uint32_t i) {
    while (t->at[i].child) i = t->at[i].child;
    return i;
}

/* Per name: its number in the order in which frames are left for the last time, as text, the order of nytprofcalls
 * --stable. */
static int key_by_returns(nytp_stacks *s, key *keys) {
    nytp_calltree *t = &s->tree;
    uint32_t returned = 0;
    nytp_calltree_link_made(t);
    for (uint32_t i = deepest_first(t, 0); i; i = t->at[i].next ? deepest_first(t, t->at[i].next) : t->at[i].parent) {
        key *k = &keys[t->at[i].callee];
        char digits[12];
        if (k->text.p) continue;
        int n = snprintf(digits, sizeof digits, "%" PRIu32, ++returned);
        k->text = nytp_arena_str(&t->arena, (nytp_str){digits, (size_t)n});
        if (!k->text.p) return NYTP_NOMEM;
    }
    return NYTP_OK;
}

static void key_by_name(const nytp_stacks *s, key *keys) {
    for (uint32_t i = 0; i < s->names_n; i++) keys[i].text = s->names[i];
}

int nytp_stacks_sort(nytp_stacks *s, enum nytp_stacks_order order) {
    nytp_table_free(&s->numbers);
    if (s->tree.n < 2) return nytp_calltree_link(&s->tree, NULL, 0);
    if (s->least > 0) merge_small(s);
    key *keys = calloc(s->names_n, sizeof *keys);
    uint32_t *ordinals = malloc(s->names_n * sizeof *ordinals);
    int code = keys && ordinals ? NYTP_OK : NYTP_NOMEM;
    for (uint32_t i = 0; i < s->names_n && !code; i++) keys[i].number = i;
    if (!code && order == NYTP_STACKS_RETURNS) code = key_by_returns(s, keys);
    if (!code && order == NYTP_STACKS_HEAVIEST) key_by_name(s, keys);
    if (!code) {
        qsort(keys, s->names_n, sizeof *keys, by_text);
        for (uint32_t i = 0; i < s->names_n; i++) ordinals[keys[i].number] = i;
        nytp_calltree_sum(&s->tree);
        code = nytp_calltree_link(&s->tree, ordinals, order == NYTP_STACKS_HEAVIEST);
    }
    free(ordinals);
    free(keys);
    return code;
}

void nytp_stacks_path_to(nytp_stacks_path *path, const nytp_stacks *s, uint32_t frame) {
    const nytp_calltree_node *f = &s->tree.at[frame];
    path->text.n = path->ends[f->depth - 1];
    if (path->text.n) nytp_buf_byte(&path->text, ';');
    nytp_text_str(&path->text, s->names[f->callee]);
    path->ends[f->depth] = path->text.n;
}

void nytp_stacks_free(nytp_stacks *s) {
    nytp_table_free(&s->numbers);
    nytp_calltree_free(&s->tree);
    *s = (nytp_stacks){0};
}
