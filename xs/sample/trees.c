/* SPDX-License-Identifier: MIT */
/* trees.c - climbs from ops to the roots of their trees, once for each statement. */
#include "sample/trees.h"

#include <stdlib.h>

#include "base/grow.h"

#define HEAD 256       /* bytes that the read part of an op or a value may have */
#define HIGHEST 4000   /* steps to a root */
#define MOST (16u << 10) /* statements; then they are found again */

static uint64_t mix(uint64_t hash, uint64_t by) {
    hash = (hash ^ by) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const nytp_frame *f) {
    return mix(mix(mix(f->cop, f->file), (uint64_t)f->seq << 32 | f->line), 0);
}

/* ---- roots ---- */

/* The root, and its type. 0: there is none near. */
static uint64_t climb(const nytp_subject *t, uint64_t op, uint32_t *type) {
    const nytp_perl_layout *l = t->layout;
    unsigned char head[HEAD];
    nytp_peek_pages pages;
    pages.n = 0;
    for (int n = 0; op && n < HIGHEST; n++) {
        if (!nytp_peek_near(&t->peek, &pages, op, head, l->op_size)) return 0;
        uint64_t next = nytp_peek_pointer(head, l->op_sibling);
        *type = nytp_peek_u32(head, l->op_type) >> l->op_type_shift & l->op_type_mask;
        if (!next) return op;
        op = next;
    }
    return 0;
}

/* A root of another type is that of code in a pattern or in a replacement: nothing is known of where it runs. */
static int kind_of(const nytp_perl_layout *l, uint32_t type) {
    if (type == l->op_leavesub || type == l->op_leavesublv) return NYTP_FRAME_SUB;
    if (type == l->op_leaveeval) return NYTP_FRAME_REQUIRE;
    return type == l->op_leave ? NYTP_FRAME_MAIN : -1;
}

uint64_t nytp_trees_root(const nytp_trees *c, uint64_t cv) {
    const nytp_perl_layout *l = c->target->layout;
    unsigned char head[HEAD], body[HEAD];
    if (!nytp_peek_at(&c->target->peek, cv, head, l->sv_size)) return 0;
    if ((nytp_peek_u32(head, l->sv_flags) & l->sv_type_mask) != l->sv_cv) return 0;
    if (!nytp_peek_at(&c->target->peek, nytp_peek_pointer(head, l->sv_any), body, l->cv_size)) return 0;
    return nytp_peek_u32(body, l->cv_flags) & l->cv_xsub ? 0 : nytp_peek_pointer(body, l->cv_root);
}

/* ---- statements ---- */

void nytp_trees_free(nytp_trees *c) {
    nytp_map_free(&c->by_statement);
    nytp_map_free(&c->by_op);
    free(c->all);
    *c = (nytp_trees){.target = c->target};
}

/* The statement must be the same after the climb, or the ops were of something else. */
static nytp_tree tree_of(const nytp_trees *c, const nytp_frame *f) {
    nytp_tree tree = {.of = *f};
    uint32_t type = 0;
    uint64_t root = climb(c->target, f->cop, &type);
    int kind = root ? kind_of(c->target->layout, type) : -1;
    tree.of.code = 0;
    if (kind < 0 || !nytp_unwind_is_same(c->target, f)) return tree;
    tree.root = root;
    tree.kind = (uint32_t)kind;
    return tree;
}

nytp_tree *nytp_trees_of(nytp_trees *c, const nytp_frame *f) {
    if (!f->cop || !c->target->layout->op_more_mask) return NULL;
    if (c->n >= MOST || c->by_op.n >= MOST) nytp_trees_free(c);
    uint32_t *index = nytp_map_at(&c->by_statement, hash_of(f));
    if (!index) return NULL;
    if (!*index || !nytp_unwind_are_same(&c->all[*index - 1].of, f)) {
        if (!*index && !nytp_grow_owned(&c->all, c->n, &c->room, sizeof *c->all)) return NULL;
        if (!*index) *index = ++c->n;
        c->all[*index - 1] = tree_of(c, f);
    }
    nytp_tree *tree = c->all + *index - 1;
    return tree->root ? tree : NULL;
}

int nytp_trees_fits(nytp_trees *c, const nytp_frame *f) {
    nytp_tree *tree = nytp_trees_of(c, f);
    if (!tree) return 0;
    if (tree->kind != NYTP_FRAME_SUB || f->kind != NYTP_FRAME_SUB)
        return tree->kind == f->kind || (tree->kind == NYTP_FRAME_REQUIRE && f->kind == NYTP_FRAME_EVAL);
    if (tree->of.code != f->code && nytp_trees_root(c, f->code) == tree->root) tree->of.code = f->code;
    return tree->of.code == f->code;
}

/* ---- ops ---- */

static int is_in_tree(const nytp_subject *t, uint64_t op, uint64_t root) {
    uint32_t type = 0;
    uint64_t found = climb(t, op, &type);
    return !found || found == root || kind_of(t->layout, type) < 0;
}

int nytp_trees_has(nytp_trees *c, const nytp_frame *f, uint64_t op) {
    const nytp_tree *tree = nytp_trees_of(c, f);
    if (!tree) return 1;
    uint32_t *known = nytp_map_at(&c->by_op, mix(hash_of(f), op));
    if (!known) return 1;
    if (!*known) *known = 1 + (uint32_t)is_in_tree(c->target, op, tree->root);
    return *known == 2;
}
