/* SPDX-License-Identifier: MIT */
/* sequence.c - finds calls that began and ended since the event before, by the nodes touched. */
#include "record/sequence.h"

#include "record/events.h"

#define ALWAYS (INT64_MIN + 1) /* a deadline; INT64_MIN has another meaning */

typedef struct level {
    nytp_live_node *node;
    int64_t before;    /* the node's ticks when the call began */
    uint32_t is_told;  /* 0: it began before the output, or is a phase of the program */
} level;

typedef struct told {
    const nytp_live_node *node;
    int64_t exclusive;
    uint32_t is_end;
} told;

void nytp_sequence_close(nytp_sequence *o) {
    nytp_buf_free(&o->stack);
    nytp_buf_free(&o->told);
}

void nytp_sequence_due(nytp_recorder *r, int64_t when) {
    r->sequence.due = when;
    nytp_due_plan(r, nytp_sequence_is_wanted(r) ? ALWAYS : when);
}

int nytp_sequence_only(const nytp_recorder *r, int64_t now) {
    return nytp_due_at(r) == ALWAYS && now < r->sequence.due && r->output.writer &&
           nytp_writer_pending(r->output.writer) < NYTP_WRITER_FULL;
}

static level *levels(const nytp_sequence *o) { return (level *)(void *)o->stack.p; }

static size_t depth(const nytp_sequence *o) { return o->stack.n / sizeof(level); }

static void tell(nytp_sequence *o, const nytp_live_node *n, int64_t exclusive, uint32_t is_end) {
    const told new = {n, exclusive, is_end};
    nytp_buf_bytes(&o->told, &new, sizeof new);
}

static void push(nytp_sequence *o, nytp_live_node *n, uint32_t is_told) {
    const level new = {n, n->ticks, is_told};
    nytp_buf_bytes(&o->stack, &new, sizeof new);
    if (is_told) tell(o, n, 0, 0);
}

static void pop(nytp_sequence *o) {
    const level *top = levels(o) + depth(o) - 1;
    if (top->is_told) tell(o, top->node, top->node->ticks - top->before, 1);
    o->stack.n -= sizeof *top;
}

/* Index + 1 of the innermost call in this context; 0: none. */
static size_t find(const nytp_sequence *o, const nytp_live_node *n) {
    size_t i = depth(o);
    while (i && levels(o)[i - 1].node != n) i--;
    return i;
}

/* Makes the stack end with the calls that lead to n: others have ended. Calls missing between have begun unnoticed, and
 * are written only if this output counts them. */
static void go_to(nytp_sequence *o, nytp_live_node *n, int is_new_output) {
    nytp_buf way = {0};
    size_t at = 0;
    for (; n && !(at = find(o, n)); n = n->parent) nytp_buf_bytes(&way, &n, sizeof n);
    while (depth(o) > at) pop(o);
    for (size_t i = way.failed ? 0 : way.n / sizeof n; i; i--) {
        nytp_live_node *next = ((nytp_live_node **)(void *)way.p)[i - 1];
        push(o, next, is_new_output && next->calls > 0);
    }
    if (way.failed) o->stack.failed = 1;
    nytp_buf_free(&way);
}

static void begin(nytp_sequence *o, nytp_live_node *n) {
    go_to(o, n->parent, 0);
    if (n->into == n) {
        push(o, n, 1);
        return;
    }
    tell(o, n, 0, 0);
    tell(o, n, 0, 1);
}

/* Calls that are in no window yet. */
static int32_t new_calls(const nytp_live_node *n) { return (int32_t)(n->calls - n->written_calls); }

/* Writes the calls that were running when the output was opened; other calls up to now are over. */
static void begin_output(nytp_recorder *r, nytp_sequence *o) {
    o->generation = r->output.generation;
    nytp_buf_clear(&o->stack);
    go_to(o, r->node, 1);
    for (size_t i = 0; i < depth(o); i++) nytp_touch_node(r, levels(o)[i].node); /* so that it is defined */
    for (uint32_t i = 0; i < r->queue.node_n; i++) {
        const nytp_live_node *n = r->queue.nodes[i];
        for (int32_t k = new_calls(n); k > 0 && !find(o, n); k--) {
            tell(o, n, 0, 0);
            tell(o, n, 0, 1);
        }
    }
}

int nytp_sequence_find(nytp_recorder *r) {
    nytp_sequence *o = &r->sequence;
    nytp_buf_clear(&o->told);
    if (o->generation != r->output.generation) {
        begin_output(r, o);
    } else {
        for (uint32_t i = 0; i < r->queue.node_n; i++) {
            nytp_live_node *n = r->queue.nodes[i];
            for (int32_t k = new_calls(n); k > 0; k--) begin(o, n);
        }
        go_to(o, r->node, 0);
    }
    if (o->stack.failed || o->told.failed) nytp_recorder_fail(r);
    return o->told.n && ((const told *)(const void *)(o->told.p + o->told.n) - 1)->is_end;
}

void nytp_sequence_write(nytp_recorder *r, int64_t now) {
    const told *t = (const told *)(const void *)r->sequence.told.p;
    for (size_t i = 0; i < r->sequence.told.n / sizeof *t; i++) {
        nytp_record entry = {.kind = NYTP_REC_CALL_ENTRY, .u.call_entry = {now, t[i].node->id}};
        nytp_record end = {.kind = NYTP_REC_CALL_RETURN, .u.call_return = {now, t[i].node->id, t[i].exclusive}};
        nytp_writer_put(r->output.writer, t[i].is_end ? &end : &entry);
    }
    nytp_buf_clear(&r->sequence.told);
}
