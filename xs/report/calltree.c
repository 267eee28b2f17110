/* SPDX-License-Identifier: MIT */
/* calltree.c - the tree of call paths, in an array and without recursion. */
#include "report/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/ticks.h"
#include "model/metrics.h"

/* ---- making nodes ---- */

/* UINT32_MAX when memory is short, as everywhere here. */
static uint32_t append(nytp_calltree *t, uint32_t parent, uint32_t callee) {
    nytp_calltree_node *node = t->n < UINT32_MAX ? nytp_grow(&t->arena, &t->at, t->n, &t->room, sizeof *node) : NULL;
    if (!node) return UINT32_MAX;
    *node = (nytp_calltree_node){.parent = parent, .callee = callee};
    if (t->n) node->depth = (uint16_t)(t->at[parent].depth + 1);
    return t->n++;
}

/* A node has few children, as a rule, in a list that is short and in the cache: they were made one soon after another.
 * The map has those that a list of this length has no room for. */
#define LISTED 8

static uint32_t append_to_list(nytp_calltree *t, uint32_t parent, uint32_t callee) {
    uint32_t made = append(t, parent, callee);
    if (made == UINT32_MAX) return made;
    t->at[made].next = t->at[parent].child;
    return t->at[parent].child = made;
}

static uint32_t find_in_map(nytp_calltree *t, uint32_t parent, uint32_t callee) {
    uint32_t *found = nytp_map_at(&t->others, (uint64_t)parent << 32 | callee);
    if (!found) return UINT32_MAX;
    if (!*found) {
        uint32_t made = append(t, parent, callee);
        if (made == UINT32_MAX) return made;
        *found = made;
    }
    return *found;
}

uint32_t nytp_calltree_child(nytp_calltree *t, uint32_t parent, uint32_t callee) {
    uint32_t listed = 0;
    if (!t->n && append(t, 0, NYTP_ROOT) == UINT32_MAX) return UINT32_MAX;
    if (t->at[parent].depth >= NYTP_CALLTREE_DEEPEST) return parent;
    for (uint32_t i = t->at[parent].child; i; i = t->at[i].next, listed++)
        if (t->at[i].callee == callee) return i;
    return listed < LISTED ? append_to_list(t, parent, callee) : find_in_map(t, parent, callee);
}

/* A node says where it was called as long as all its calls are from one line. */
static void add_site(nytp_calltree_node *node, const nytp_node *from, int is_first) {
    if (is_first) {
        node->file = from->file;
        node->line = from->line == NYTP_LINE_UNKNOWN ? 0 : from->line;
    } else if (node->file != from->file || node->line != from->line) node->line = NYTP_CALLTREE_LINES;
}

static int64_t value_of(const nytp_profile *p, const nytp_node *from, const nytp_calltree_options *options) {
    if (options->calls) return from->calls;
    return options->metric ? nytp_metrics_get(p, options->metric - 1, from->own) : from->exclusive;
}

static void add_context(nytp_calltree_node *node, const nytp_profile *p, const nytp_node *from,
                        const nytp_calltree_options *options, int is_first) {
    int64_t value = value_of(p, from, options);
    add_site(node, from, is_first);
    node->calls = nytp_ticks_add(node->calls, from->calls);
    node->self = nytp_ticks_add(node->self, value);
    node->spread += from->spread;
    if (value || (from->calls && !options->metric)) node->is_seen = 1;
}

/* A phase of the program, in which perl itself calls subs, begins a path of its own. */
static int is_phase(const nytp_profile *p, const nytp_node *from) {
    return (p->subs[from->sub].flags & NYTP_SUB_PHASE) != 0;
}

/* What a selection makes of a context. */
enum mark {
    INSIDE = 1, /* a path to it begins where the selection says */
    CHOSEN = 2, /* the path has a chosen sub: its value counts */
    NEEDED = 4  /* a path goes through it to a chosen sub */
};

/* Sets the marks of all contexts; parents come before their children. */
static void mark_contexts(unsigned char *marks, const nytp_profile *p, const nytp_selection *s) {
    for (uint32_t i = 0; i < p->nodes_n; i++) {
        const nytp_node *from = &p->nodes[i];
        unsigned above = i && !is_phase(p, from) ? marks[from->parent] & (INSIDE | CHOSEN) : 0;
        if (!s->from || s->from[from->sub]) above |= INSIDE;
        if ((above & INSIDE) && nytp_selection_has(s, from->sub)) above |= CHOSEN;
        marks[i] = (unsigned char)above;
    }
    for (uint32_t i = p->nodes_n; i-- > 1;) {
        const nytp_node *from = &p->nodes[i];
        int goes_on = (marks[from->parent] & INSIDE) && !is_phase(p, from);
        if (goes_on && (marks[i] & (CHOSEN | NEEDED))) marks[from->parent] |= NEEDED;
    }
}

/* What contexts are added with. */
typedef struct adding {
    const nytp_profile *p;
    const uint32_t *callees;
    const nytp_calltree_options *options;
    unsigned char *marks; /* per context, with a selection; else NULL */
    uint32_t *to;         /* per context its node; 0 if it is left out */
    uint32_t *top;        /* per context the node of its process; NULL: node 0 */
} adding;

/* The node below which paths to the context begin. */
static uint32_t top_of(nytp_calltree *t, const adding *a, uint32_t i) {
    if (!a->top) return 0;
    uint32_t process = nytp_profile_main_of(a->p, i);
    a->top[i] = process ? nytp_calltree_child(t, 0, a->p->subs_n + process - 1) : a->top[a->p->nodes[i].parent];
    return a->top[i];
}

/* The node of a context, or 0 if it is left out, as phases may be. */
static uint32_t node_of(nytp_calltree *t, const adding *a, uint32_t i, uint32_t top) {
    const nytp_node *from = &a->p->nodes[i];
    uint32_t parent = i ? a->to[from->parent] : 0;
    int begins = is_phase(a->p, from);
    if (begins && a->options->subs_only) return 0;
    return nytp_calltree_child(t, begins || !parent ? top : parent, a->callees ? a->callees[from->sub] : from->sub);
}

static int add_contexts(nytp_calltree *t, const adding *a) {
    for (uint32_t i = 0; i < a->p->nodes_n; i++) {
        const nytp_node *from = &a->p->nodes[i];
        unsigned mark = a->marks ? a->marks[i] : CHOSEN;
        uint32_t top = top_of(t, a, i), before = t->n;
        a->to[i] = 0;
        if (top == UINT32_MAX) return NYTP_NOMEM;
        if (!(mark & (CHOSEN | NEEDED))) continue;
        a->to[i] = node_of(t, a, i, top);
        if (a->to[i] == UINT32_MAX) return NYTP_NOMEM;
        nytp_calltree_node *node = &t->at[a->to[i]];
        if (mark & CHOSEN) add_context(node, a->p, from, a->options, t->n > before);
        else add_site(node, from, t->n > before);
    }
    return NYTP_OK;
}

int nytp_calltree_profile(nytp_calltree *t, const nytp_profile *p, const uint32_t *callees,
                          const nytp_calltree_options *options) {
    const nytp_selection *s = options->selection;
    int selects = s && (s->chosen || s->from);
    size_t size = (size_t)p->nodes_n * sizeof(uint32_t) + 1;
    adding a = {.p = p, .callees = callees, .options = options, .to = options->to ? options->to : malloc(size)};
    if (options->processes) a.top = malloc(size);
    if (selects) a.marks = malloc(p->nodes_n + (size_t)1);
    int has_memory = a.to && (a.marks || !selects) && (a.top || !options->processes);
    int code = has_memory && (t->n || append(t, 0, NYTP_ROOT) == 0) ? NYTP_OK : NYTP_NOMEM;
    if (!code && a.marks) mark_contexts(a.marks, p, s);
    if (!code) code = add_contexts(t, &a);
    free(a.marks);
    free(a.top);
    if (!options->to) free(a.to);
    return code;
}

/* ---- adding up ---- */

/* Most trees are of one measurement and have no column of deltas. */
int nytp_calltree_differ(nytp_calltree *t, uint32_t i, int64_t delta) {
    if (i >= t->deltas_n) {
        size_t old = t->deltas_n * sizeof *t->deltas, size = t->room * sizeof *t->deltas;
        int64_t *bigger = nytp_arena_more(&t->arena, t->deltas, old, size);
        if (!bigger) return NYTP_NOMEM;
        memset((char *)bigger + old, 0, size - old);
        t->deltas = bigger;
        t->deltas_n = t->room;
    }
    t->deltas[i] = nytp_ticks_add(t->deltas[i], delta);
    return NYTP_OK;
}

int64_t nytp_calltree_delta(const nytp_calltree *t, uint32_t i) { return i < t->deltas_n ? t->deltas[i] : 0; }

/* Children come behind their parents, so one pass from the end is enough. */
void nytp_calltree_sum(nytp_calltree *t) {
    if (t->is_summed) return;
    for (uint32_t i = 0; i < t->n; i++) t->at[i].total = t->at[i].self;
    for (uint32_t i = t->n; i-- > 1;) {
        const nytp_calltree_node *node = &t->at[i];
        nytp_calltree_node *parent = &t->at[node->parent];
        parent->total = nytp_ticks_add(parent->total, node->total);
        parent->spread += node->spread;
        if (i >= t->deltas_n) continue;
        t->deltas[node->parent] = nytp_ticks_add(t->deltas[node->parent], t->deltas[i]);
    }
    t->is_summed = 1;
}

/* A node's time below zero, from overcorrection, is subtracted from its caller: so the whole is unchanged. */
static void pass_debts(nytp_calltree *t) {
    for (uint32_t i = t->n; i-- > 0;) {
        nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
        if (node->calls < 0) node->calls = 0;
        if (node->self >= 0) continue;
        if (i) parent->self = nytp_ticks_add(parent->self, node->self);
        node->self = 0;
    }
}

/* Before the sum a node's spread is that of its own time. */
void nytp_calltree_settle(nytp_calltree *t) {
    for (uint32_t i = 0; i < t->n; i++)
        if (nytp_profile_told(t->at[i].self, t->at[i].spread) < 0) t->at[i].untold |= NYTP_CALLTREE_SELF;
    pass_debts(t);
    nytp_calltree_sum(t);
    for (uint32_t i = 0; i < t->n; i++)
        if (nytp_profile_told(t->at[i].total, t->at[i].spread) < 0) t->at[i].untold |= NYTP_CALLTREE_TOTAL;
}

static int stays(const nytp_calltree_node *node, int64_t least) { return node->total >= least || node->is_needed; }

/* A parent with a total below least has lost all its descendants. */
void nytp_calltree_prune(nytp_calltree *t, int64_t least) {
    for (uint32_t i = t->n; i-- > 1;) {
        nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
        if (stays(node, least)) continue;
        node->is_cut = 1;
        if (stays(parent, least)) parent->cut = nytp_ticks_add(parent->cut, node->total);
    }
}

void nytp_calltree_merge(nytp_calltree *t, int64_t least) {
    nytp_calltree_prune(t, least);
    for (uint32_t i = t->n; i-- > 1;) {
        const nytp_calltree_node *node = &t->at[i];
        nytp_calltree_node *parent = &t->at[node->parent];
        if (!node->is_cut) continue;
        parent->self = nytp_ticks_add(parent->self, node->total);
        parent->is_seen = 1;
    }
}

/* A share of the run: of its time, calls or metric. */
int64_t nytp_calltree_least(const nytp_profile *p, const nytp_calltree_options *options) {
    const nytp_selection *s = options->selection;
    if (!s || s->share <= 0) return 0;
    if (options->calls) return nytp_selection_least(s, p->totals.calls);
    if (!options->metric) return s->least;
    return nytp_selection_least(s, nytp_metrics_get(p, options->metric - 1, p->totals.values));
}

/* ---- recursion ---- */

/* The node after i; leaves i and each ancestor without further children. */
static uint32_t leave(const nytp_calltree *t, uint32_t *on_path, uint32_t i) {
    for (; i; i = t->at[i].parent) {
        on_path[t->at[i].callee]--;
        if (t->at[i].next) return t->at[i].next;
    }
    return 0;
}

/* One walk through the tree. */
int nytp_calltree_nest(nytp_calltree *t, uint32_t callees) {
    uint32_t *on_path = calloc(callees + (size_t)1, sizeof *on_path); /* nodes of each callee from node 0 to i */
    if (!on_path) return NYTP_NOMEM;
    nytp_calltree_link_made(t);
    for (uint32_t i = t->n ? t->at[0].child : 0; i;) {
        nytp_calltree_node *node = &t->at[i];
        node->is_nested = on_path[node->callee]++ != 0;
        i = node->child ? node->child : leave(t, on_path, i);
    }
    free(on_path);
    return NYTP_OK;
}

/* ---- order ---- */

static void unlink_all(nytp_calltree *t) {
    nytp_map_free(&t->others);
    for (uint32_t i = 0; i < t->n; i++) t->at[i].child = t->at[i].next = 0;
    t->kept = t->n ? 1 : 0;
}

/* Links a node before its siblings linked so far. */
static void link_node(nytp_calltree *t, uint32_t i) {
    nytp_calltree_node *node = &t->at[i], *parent = &t->at[node->parent];
    node->next = parent->child;
    parent->child = i;
}

void nytp_calltree_link_made(nytp_calltree *t) {
    unlink_all(t);
    for (uint32_t i = t->n; i-- > 1;) {
        if (t->at[i].is_cut) continue;
        link_node(t, i);
        t->kept++;
    }
}

typedef struct rank {
    int64_t total;
    uint32_t ordinal, node;
} rank;

/* Siblings on their way into order, the last one first. */
typedef struct ranks {
    rank *at;
    uint32_t n, room;
} ranks;

static int last_first(const void *a, const void *b) {
    const rank *x = a, *y = b;
    if (x->total != y->total) return x->total < y->total ? -1 : 1;
    if (x->ordinal != y->ordinal) return x->ordinal > y->ordinal ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Takes the children of a node out of its list. */
static int take_children(nytp_calltree *t, ranks *r, uint32_t parent, const uint32_t *ordinals, int by_total) {
    r->n = 0;
    for (uint32_t i = t->at[parent].child; i; i = t->at[i].next) {
        const nytp_calltree_node *node = &t->at[i];
        rank *made = nytp_grow_owned(&r->at, r->n, &r->room, sizeof *made);
        if (!made) return NYTP_NOMEM;
        *made = (rank){by_total ? node->total : 0, ordinals ? ordinals[node->callee] : node->callee, i};
        r->n++;
    }
    t->at[parent].child = 0;
    return NYTP_OK;
}

/* Siblings are few and near each other, so this is faster than sorting all nodes. */
int nytp_calltree_link(nytp_calltree *t, const uint32_t *ordinals, int by_total) {
    ranks r = {0};
    int code = NYTP_OK;
    nytp_calltree_link_made(t);
    for (uint32_t i = 0; i < t->n && !code; i++) {
        if (!t->at[i].child || !t->at[t->at[i].child].next) continue;
        code = take_children(t, &r, i, ordinals, by_total);
        if (r.n) qsort(r.at, r.n, sizeof *r.at, last_first);
        for (uint32_t k = 0; k < r.n; k++) link_node(t, r.at[k].node);
    }
    free(r.at);
    return code;
}

uint32_t nytp_calltree_next(const nytp_calltree *t, uint32_t i) {
    if (!t->n) return 0;
    if (t->at[i].child) return t->at[i].child;
    while (i && !t->at[i].next) i = t->at[i].parent;
    return t->at[i].next;
}

void nytp_calltree_free(nytp_calltree *t) {
    nytp_map_free(&t->others);
    nytp_arena_free(&t->arena);
    *t = (nytp_calltree){0};
}
