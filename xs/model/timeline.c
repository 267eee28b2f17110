/* SPDX-License-Identifier: MIT */
/* timeline.c - the calls of one stream in their order. */
#include "model/timeline.h"

#include "base/grow.h"
#include "base/ticks.h"

#define FARTHEST 1000 /* ancestors of a call among which its running caller is looked for */

typedef struct running {
    uint32_t node, span;
} running;

typedef struct node {
    int64_t waiting;  /* ticks that have not passed yet */
    uint32_t running; /* calls */
} node;

/* ---- nodes ---- */

static node *find_node(const nytp_timeline *t, uint32_t index) {
    uint32_t number = nytp_ids_get(&t->numbers, index);
    return number ? (node *)(void *)t->nodes.p + number - 1 : NULL;
}

/* NULL when memory is short. */
static node *need_node(nytp_timeline *t, uint32_t index) {
    const node new = {0};
    node *found = find_node(t, index);
    if (found) return found;
    nytp_buf_bytes(&t->nodes, &new, sizeof new);
    uint32_t number = (uint32_t)(t->nodes.n / sizeof new);
    return !t->nodes.failed && nytp_ids_set(&t->numbers, index, number) ? find_node(t, index) : NULL;
}

enum nytp_code nytp_timeline_charge(nytp_timeline *t, uint32_t index, int64_t ticks) {
    node *n = need_node(t, index);
    if (!n) return NYTP_NOMEM;
    n->waiting = nytp_ticks_add(n->waiting, ticks);
    return NYTP_OK;
}

/* A time below zero waits for more: the clock does not go back. */
static void settle(nytp_timeline *t, node *n) {
    if (!n || n->waiting <= 0) return;
    t->now = nytp_ticks_add(t->now, n->waiting);
    n->waiting = 0;
}

/* ---- spans ---- */

static uint32_t depth_of(const nytp_timeline *t) { return (uint32_t)(t->running.n / sizeof(running)); }

static running *innermost(const nytp_timeline *t) { return (running *)(void *)(t->running.p + t->running.n) - 1; }

static enum nytp_code push(nytp_timeline *t, nytp_process *to, uint32_t index, uint32_t sub) {
    nytp_span *span = nytp_grow_owned(&to->spans, to->spans_n, &to->spans_room, sizeof *span);
    if (!span) return NYTP_NOMEM;
    *span = (nytp_span){.begin = t->now, .sub = sub, .depth = depth_of(t), .is_open = 1};
    const running new = {index, to->spans_n++};
    nytp_buf_bytes(&t->running, &new, sizeof new);
    return t->running.failed ? NYTP_NOMEM : NYTP_OK;
}

static nytp_span *pop(nytp_timeline *t, nytp_process *to, int is_end) {
    nytp_span *span = &to->spans[innermost(t)->span];
    span->length = nytp_ticks_minus(t->now, span->begin);
    span->is_open = !is_end;
    t->running.n -= sizeof(running);
    return span;
}

static void end_innermost(nytp_timeline *t, nytp_process *to, int is_end) {
    node *n = find_node(t, innermost(t)->node);
    settle(t, n);
    if (n) n->running--;
    pop(t, to, is_end);
}

/* ---- captures ---- */

/* Ends calls until the innermost one leads to the node. */
static void go_to(nytp_timeline *t, const nytp_profile *p, nytp_process *to, uint32_t index) {
    for (int i = 0; index != NYTP_ROOT && i < FARTHEST; i++, index = p->nodes[index].parent) {
        const node *n = find_node(t, index);
        if (!n || !n->running) continue;
        while (innermost(t)->node != index) end_innermost(t, to, 1);
        return;
    }
    while (depth_of(t)) end_innermost(t, to, 1);
}

enum nytp_code nytp_timeline_begin(nytp_timeline *t, const nytp_profile *p, nytp_process *to, uint32_t index) {
    go_to(t, p, to, p->nodes[index].parent);
    settle(t, find_node(t, p->nodes[index].parent));
    node *n = need_node(t, index);
    if (!n) return NYTP_NOMEM;
    n->running++;
    return push(t, to, index, p->nodes[index].sub);
}

void nytp_timeline_end(nytp_timeline *t, nytp_process *to, uint32_t index) {
    const node *n = find_node(t, index);
    if (!n || !n->running) {
        t->strays++;
        return;
    }
    while (innermost(t)->node != index) end_innermost(t, to, 1);
    end_innermost(t, to, 1);
}

/* ---- format 5 ---- */

enum nytp_code nytp_timeline_enter(nytp_timeline *t, nytp_process *to) {
    return push(t, to, 0, NYTP_TIMELINE_NO_SUB);
}

enum nytp_code nytp_timeline_return(nytp_timeline *t, nytp_process *to, uint32_t depth, uint32_t sub,
                                    int64_t exclusive) {
    while (depth_of(t) > depth) pop(t, to, 1);
    if (!depth || depth_of(t) < depth) {
        t->strays++;
        return NYTP_OK;
    }
    enum nytp_code code = nytp_timeline_charge(t, sub, exclusive);
    settle(t, find_node(t, sub));
    pop(t, to, 1)->sub = sub;
    return code;
}

/* What statements have taken up to now and calls have not is the main program's. */
static void catch_up(nytp_timeline *t) {
    if (t->passed > t->now) t->now = t->passed;
}

void nytp_timeline_pass(nytp_timeline *t, int64_t ticks) {
    t->passed = nytp_ticks_add(t->passed, ticks);
    if (!depth_of(t)) catch_up(t);
}

/* ---- the end ---- */

void nytp_timeline_finish(nytp_timeline *t, nytp_process *to) {
    catch_up(t);
    while (depth_of(t)) end_innermost(t, to, 0);
    for (size_t i = 0; i < t->nodes.n / sizeof(node); i++) settle(t, (node *)(void *)t->nodes.p + i);
    to->spent = t->now;
    nytp_buf_free(&t->running);
    nytp_buf_free(&t->nodes);
    nytp_ids_free(&t->numbers);
}
