/* SPDX-License-Identifier: MIT */
/* latency.h - how long each call took, callees included, as sums and buckets for each call site (option latency): for
 * the calls of a sub at one place from one sub, in whatever context.
 *
 * A call's length is the program's time between its beginning and its end: the clock less the recorder's own work, less
 * the time switched off, less the price of every event up to now. Lengths are added up when calls end, so they have the
 * prices of that moment, while the times of nodes have those of the whole run. A call in a recursion counts as any
 * other, with its own length; calls whose end has no event, as that of a C function left by an exception, have none.
 *
 * A front end with this option has hooks for it, with these functions around those of frames.h, so that without the
 * option no event costs more. With a stack of its own it calls the functions without frames, each after its event.
 * Another recorder of the process may have events in the same hooks, and no option. */
#ifndef NYTP_RECORD_LATENCY_H
#define NYTP_RECORD_LATENCY_H

#include "record/frames.h"
#include "record/lengths.h"

typedef struct nytp_timed_edge {
    struct nytp_timed_edge *next; /* of those with lengths that are not written */
    const nytp_live_node *node;   /* of its nodes that with the latest call */
    uint32_t id;         /* from 1 */
    uint32_t generation; /* of the output that defines its label */
    uint32_t is_touched; /* 1: in that list */
    nytp_live_lengths lengths;
} nytp_timed_edge;

typedef struct nytp_latency {
    const nytp_live_node *node;     /* of the latest call's beginning or end; its events from ... */
    uint32_t statements, switches;  /* ... these on are not in cost */
    uint32_t era;                   /* of the process and output in which calls count */
    int32_t prices[NYTP_EVENTS];    /* in 256ths of a tick */
    int64_t cost;                   /* of all events up to then, in 256ths of a tick */
    int64_t lost;                   /* ticks of earlier windows that are not the program's */
    double ns;                      /* of a tick */
    nytp_timed_edge *touched;
    nytp_timed_edge **of_node;      /* by id; NULL: none yet */
    uint32_t of_node_n;
    nytp_timed_edge **edges;        /* owned */
    uint32_t edges_n, edges_room;
    nytp_table known;               /* of edges */
} nytp_latency;

/* Made at the recorder's opening if the option is set, for a front end that times calls; r->latency is NULL otherwise.
 * 0: memory is short. */
int nytp_latency_open(nytp_recorder *r);
void nytp_latency_close(nytp_recorder *r);

/* The recorder has been switched on, or the current node has changed without an event of frames.h. */
void nytp_latency_follow(nytp_recorder *r);

/* Before the sums of the window that is written begin anew. */
void nytp_latency_keep(nytp_recorder *r);

/* Of what has not been written, as in spans.h. Calls that run now do not count after _forget: they began in the parent
 * of a forked child, or before the output. */
void nytp_latency_define(nytp_recorder *r);
void nytp_latency_put(nytp_recorder *r);
void nytp_latency_settle(nytp_recorder *r);
void nytp_latency_forget(nytp_recorder *r);

/* Calls that run now are those of a thread that has ended. */
void nytp_latency_renew(nytp_recorder *r);

/* The program's time on this stack of calls, in ticks since some moment; and sets it, when another stack goes on. */
int64_t nytp_latency_time(nytp_recorder *r, int64_t now);
void nytp_latency_set_time(nytp_recorder *r, int64_t time, int64_t now);

/* The lengths of the node's call site, in the list of those touched; NULL when memory is short. */
nytp_timed_edge *nytp_latency_touch(nytp_recorder *r, const nytp_live_node *n);

/* ---- events ---- */

/* Adds the cost of the statements since the latest call's beginning or end. That of calls is added by these. */
static inline void nytp_latency_pay(nytp_latency *l) {
    const uint32_t *now = l->node->events;
    l->cost += (int64_t)(int32_t)(now[NYTP_EVENT_STATEMENT] - l->statements) * l->prices[NYTP_EVENT_STATEMENT] +
               (int64_t)(int32_t)(now[NYTP_EVENT_SWITCH] - l->switches) * l->prices[NYTP_EVENT_SWITCH];
}

/* The current node's statements from now on. */
static inline void nytp_latency_go_on(nytp_recorder *r, nytp_latency *l) {
    l->node = r->node;
    l->statements = r->node->events[NYTP_EVENT_STATEMENT];
    l->switches = r->node->events[NYTP_EVENT_SWITCH];
}

/* Both, after an event with which the current node may have changed. */
static inline void nytp_latency_catch_up(nytp_recorder *r) {
    nytp_latency_pay(r->latency);
    nytp_latency_go_on(r, r->latency);
}

static inline int nytp_latency_is_asked(const nytp_recorder *r) { return r->latency != NULL; }

static inline int64_t nytp_latency_lost(const nytp_recorder *r, const nytp_latency *l) {
    const nytp_live_window *w = &r->window;
    return l->lost + w->cold + w->flush + w->off + w->waited + (l->cost >> 8);
}

/* To be called after the event, ENTER or LEAF_ENTER, that begins the call: after nytp_enter, for the frame's `timed`.
 * The end of a leaf is its caller's cost. */
static inline void nytp_latency_begin(nytp_recorder *r, nytp_timed_call *c, nytp_live_node *n, int64_t now,
                                      enum nytp_event event) {
    nytp_latency *l = r->latency;
    if (NYTP_UNLIKELY(!l)) return;
    nytp_latency_pay(l);
    if (event == NYTP_EVENT_LEAF_ENTER) l->cost += l->prices[NYTP_EVENT_LEAF_EXIT];
    *c = (nytp_timed_call){now, nytp_latency_lost(r, l), n, l->era};
    l->cost += l->prices[event];
    nytp_latency_go_on(r, l);
}

static inline void nytp_latency_add(nytp_recorder *r, const nytp_live_node *n, int64_t began, int64_t ticks) {
    nytp_timed_edge *t = n->id < r->latency->of_node_n ? r->latency->of_node[n->id] : NULL;
    if (NYTP_UNLIKELY(!t || !t->is_touched) && !(t = nytp_latency_touch(r, n))) return;
    nytp_lengths_add(&t->lengths, began, ticks, ticks > 0 ? (uint64_t)((double)ticks * r->latency->ns) : 0);
}

/* With nytp_leaf_after: the call is noticed only at its end. */
static inline void nytp_latency_after(nytp_recorder *r, const nytp_live_node *n, int64_t began, int64_t now) {
    if (r->latency) nytp_latency_add(r, n, began, now - began);
}

/* The call ends; what its statements cost has been paid. This one and the next are for a recorder with the option. */
static inline void nytp_latency_end(nytp_recorder *r, const nytp_timed_call *c, int64_t now) {
    const nytp_latency *l = r->latency;
    if (NYTP_LIKELY(c->node && c->era == l->era))
        nytp_latency_add(r, c->node, c->began, now - c->began - (nytp_latency_lost(r, l) - c->lost));
}

/* Adds the cost of so many events at a node that is current since then. */
static inline void nytp_latency_charge(nytp_recorder *r, enum nytp_event event, uint32_t n) {
    r->latency->cost += (int64_t)(int32_t)n * r->latency->prices[event];
}

/* nytp_exit, for a frame that has been to nytp_latency_begin. */
static inline void nytp_latency_exit(nytp_recorder *r, nytp_live_frame *f, int64_t now, enum nytp_event event) {
    nytp_latency *l = r->latency;
    if (NYTP_UNLIKELY(!l)) {
        nytp_exit(r, f, now, event);
        return;
    }
    nytp_latency_pay(l);
    int is_known = r->frame == f || (event == NYTP_EVENT_EXIT && nytp_recorder_uncover(r, f));
    if (NYTP_LIKELY(is_known)) nytp_latency_end(r, &f->timed, now);
    if (event == NYTP_EVENT_EXIT) l->cost += l->prices[event];
    nytp_exit(r, f, now, event);
    nytp_latency_go_on(r, l);
}

#endif
