/* SPDX-License-Identifier: MIT */
/* ordered.c - entries and returns of calls, in the order of a capture's records. */
#include "v5/ordered.h"

#include "base/ticks.h"

typedef struct running {
    uint32_t node;
    int64_t callees; /* inclusive time of its callees, in ticks of format 5 */
} running;

static running *at(const nytp_ordered *o, size_t i) { return (running *)(void *)o->running.p + i; }

static size_t depth(const nytp_ordered *o) { return o->running.n / sizeof(running); }

static void begin(nytp_ordered *o, const nytp_summary *s, uint32_t node, nytp_emitter *to) {
    const running new = {node, 0};

    nytp_buf_bytes(&o->running, &new, sizeof new);
    if (o->running.failed) nytp_emitter_no_memory(to);
    nytp_summary_emit_entry(s, node, to);
}

/* The context's ticks since the last time, in ticks of format 5; the rest of rounding is left to the next call. */
static int64_t take(nytp_ordered *o, const nytp_summary *s, uint32_t node, nytp_emitter *to) {
    const int64_t none = 0;

    while (o->taken.n / sizeof none <= node && !o->taken.failed) nytp_buf_bytes(&o->taken, &none, sizeof none);
    if (o->taken.failed) {
        nytp_emitter_no_memory(to);
        return 0;
    }
    int64_t *taken = (int64_t *)(void *)o->taken.p + node;
    int64_t now = nytp_ticks_whole((double)nytp_summary_at(s, node)->exclusive * o->scale);
    int64_t since = nytp_ticks_minus(now, *taken);
    *taken = now;
    return since;
}

static void end_innermost(nytp_ordered *o, const nytp_summary *s, nytp_emitter *to) {
    size_t n = depth(o);
    running ended = *at(o, n - 1);
    int64_t exclusive = take(o, s, ended.node, to), inclusive = nytp_ticks_add(exclusive, ended.callees);

    o->running.n -= sizeof ended;
    if (n > 1) at(o, n - 2)->callees = nytp_ticks_add(at(o, n - 2)->callees, inclusive);
    nytp_summary_emit_return(s, ended.node, (uint32_t)n, inclusive, exclusive, to);
}

/* Returns 0 if the call has not begun. */
static int end(nytp_ordered *o, const nytp_summary *s, uint32_t node, nytp_emitter *to) {
    size_t i = depth(o);

    while (i && at(o, i - 1)->node != node) i--;
    if (!i) return 0;
    while (depth(o) >= i && !to->code) end_innermost(o, s, to);
    return 1;
}

int nytp_ordered_record(nytp_ordered *o, const nytp_summary *s, const nytp_map *nodes, const nytp_record *from,
                        nytp_emitter *to) {
    int begins = from->kind == NYTP_REC_CALL_ENTRY;
    uint32_t number = nytp_map_get(nodes, begins ? from->u.call_entry.node : from->u.call_return.node);

    if (!number) return 0;
    if (!begins) return end(o, s, number - 1, to);
    begin(o, s, number - 1, to);
    return 1;
}

void nytp_ordered_finish(nytp_ordered *o, const nytp_summary *s, nytp_emitter *to) {
    while (depth(o) && !to->code) end_innermost(o, s, to);
}

void nytp_ordered_close(nytp_ordered *o) {
    nytp_buf_free(&o->running);
    nytp_buf_free(&o->taken);
}
