/* SPDX-License-Identifier: MIT */
/* contexts.c - builds the call tree of the index page, and sums up the nodes left out. */
#include "pages/contexts.h"

#include "base/ticks.h"

/* Adds a pruned node to its sub's sums. */
static void add_cut(nytp_contexts_cut *cut, const nytp_calltree_node *node) {
    cut->calls = nytp_ticks_add(cut->calls, node->calls);
    cut->self = nytp_ticks_add(cut->self, node->self);
    if (node->calls && !node->is_nested) cut->outermost = nytp_ticks_add(cut->outermost, node->calls);
}

int nytp_contexts_build(nytp_contexts *c, const nytp_profile *p, double share) {
    nytp_calltree *t = &c->tree;
    const nytp_calltree_options ticks = {0};
    c->cut = nytp_arena_get(&t->arena, (p->subs_n + 1u) * sizeof *c->cut);
    if (!c->cut || nytp_calltree_profile(t, p, NULL, &ticks) || nytp_calltree_nest(t, p->subs_n)) return NYTP_NOMEM;
    nytp_calltree_settle(t);
    int64_t least = nytp_ticks_whole((double)t->at[0].total * share);
    nytp_calltree_prune(t, least > 0 ? least : 1);
    for (uint32_t i = 1; i < t->n; i++)
        if (t->at[i].is_cut) add_cut(&c->cut[t->at[i].callee], &t->at[i]);
    return nytp_calltree_link(t, NULL, 1);
}

void nytp_contexts_free(nytp_contexts *c) {
    nytp_calltree_free(&c->tree);
    *c = (nytp_contexts){0};
}
