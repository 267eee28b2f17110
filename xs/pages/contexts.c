/* SPDX-License-Identifier: MIT */
/* contexts.c - builds the call tree of the index page, and sums up the nodes left out.
 *
 * Nodes of a tree are made in the order of the profile's contexts, whatever they measure: so those of a metric's tree
 * have the numbers of those of the tree of time, which can have its values as columns. */
#include "pages/contexts.h"

#include <assert.h>

#include "base/ticks.h"

static int64_t least_of(const nytp_calltree *t, double share) {
    int64_t least = nytp_ticks_whole((double)t->at[0].total * share);
    return least > 0 ? least : 1;
}

/* ---- columns of a metric ---- */

static int64_t *new_column(nytp_contexts *c, uint32_t n) {
    return nytp_arena_get(&c->tree.arena, (n + (size_t)1) * sizeof(int64_t));
}

/* Nodes with enough of the metric are needed. */
static void take_column(nytp_contexts *c, nytp_contexts_metric *m, const nytp_calltree *of, double share) {
    int64_t least = least_of(of, share);
    assert(of->n == c->tree.n);
    m->total = of->at[0].total;
    for (uint32_t i = 0; i < of->n; i++) {
        m->self[i] = of->at[i].self > 0 ? of->at[i].self : 0;
        c->tree.at[i].is_needed |= of->at[i].total >= least;
    }
}

static int add_metric(nytp_contexts *c, const nytp_profile *p, uint32_t metric, nytp_contexts_metric *m,
                      double share) {
    const nytp_calltree_options options = {.metric = metric + 1};
    nytp_calltree t = {0};
    m->self = new_column(c, c->tree.n);
    m->cut = new_column(c, c->tree.n);
    m->cut_self = new_column(c, p->subs_n);
    int code = m->self && m->cut && m->cut_self ? nytp_calltree_profile(&t, p, NULL, &options) : NYTP_NOMEM;
    if (!code) {
        nytp_calltree_settle(&t);
        take_column(c, m, &t, share);
    }
    nytp_calltree_free(&t);
    return code;
}

/* From the last node on, as children come behind their parents. */
static void cut_column(const nytp_calltree *t, nytp_contexts_metric *m) {
    for (uint32_t i = t->n; i-- > 1;) {
        const nytp_calltree_node *node = &t->at[i];
        if (!node->is_cut) continue;
        m->cut[node->parent] = nytp_ticks_add(m->cut[node->parent], nytp_ticks_add(m->self[i], m->cut[i]));
        m->cut_self[node->callee] = nytp_ticks_add(m->cut_self[node->callee], m->self[i]);
    }
}

/* ---- the tree ---- */

/* Adds a pruned node to its sub's sums. */
static void add_cut(nytp_contexts_cut *cut, const nytp_calltree_node *node) {
    cut->calls = nytp_ticks_add(cut->calls, node->calls);
    cut->self = nytp_ticks_add(cut->self, node->self);
    if (node->calls && !node->is_nested) cut->outermost = nytp_ticks_add(cut->outermost, node->calls);
}

static void prune(nytp_contexts *c, const nytp_shown *shown, double share) {
    nytp_calltree *t = &c->tree;
    nytp_calltree_prune(t, least_of(t, share));
    for (uint32_t i = 1; i < t->n; i++)
        if (t->at[i].is_cut) add_cut(&c->cut[t->at[i].callee], &t->at[i]);
    for (uint32_t k = 0; k < shown->n; k++)
        if (c->metrics[k].self) cut_column(t, &c->metrics[k]);
}

int nytp_contexts_build(nytp_contexts *c, const nytp_profile *p, const nytp_shown *shown, double share) {
    nytp_calltree *t = &c->tree;
    c->to = nytp_arena_get(&t->arena, (p->nodes_n + (size_t)1) * sizeof *c->to);
    c->cut = nytp_arena_get(&t->arena, (p->subs_n + 1u) * sizeof *c->cut);
    const nytp_calltree_options ticks = {.to = c->to};
    if (!c->to || !c->cut) return NYTP_NOMEM;
    if (nytp_calltree_profile(t, p, NULL, &ticks) || nytp_calltree_nest(t, p->subs_n)) return NYTP_NOMEM;
    nytp_calltree_settle(t);
    for (uint32_t k = 0; k < shown->n; k++) {
        int adds_up = p->metrics[shown->at[k]].adds != NYTP_ADDS_MAX;
        if (adds_up && add_metric(c, p, shown->at[k], &c->metrics[k], share)) return NYTP_NOMEM;
    }
    prune(c, shown, share);
    return nytp_calltree_link(t, NULL, 1);
}

void nytp_contexts_free(nytp_contexts *c) {
    nytp_calltree_free(&c->tree);
    *c = (nytp_contexts){0};
}
