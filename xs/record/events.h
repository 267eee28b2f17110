/* SPDX-License-Identifier: MIT */
/* events.h - the hot path: updates the counters when a statement begins, a call begins or ends, or time is charged
 * elsewhere. Inline, with one clock reading each, which the front end takes. */
#ifndef NYTP_RECORD_EVENTS_H
#define NYTP_RECORD_EVENTS_H

#include "record/state.h"

/* Queues a place or node for the next flush. To be called with every change of a counter. */
static inline void nytp_touch_place(nytp_recorder *r, nytp_live_place *p) {
    if (NYTP_UNLIKELY(!p->queued)) nytp_recorder_queue_place(r, p);
}

static inline void nytp_touch_node(nytp_recorder *r, nytp_live_node *n) {
    if (NYTP_UNLIKELY(!n->queued)) nytp_recorder_queue_node(r, n); /* n->into as well */
}

/* Ends the interval of the current place or node and begins the next. An interval's start is subtracted from the ticks
 * when it begins, its end is added when it ends: so only the clock is read, and no event waits for memory that the
 * event before wrote. This saves a third of a statement's cost. */
static inline void nytp_go_to_place(nytp_recorder *r, nytp_live_place *p, int64_t now) {
    r->last = now;
    r->place->ticks += now;
    p->ticks -= now;
    r->place = p;
}

static inline void nytp_go_to_node(nytp_recorder *r, nytp_live_node *n, int64_t now) {
    r->node_last = now;
    r->node->ticks += now;
    n->ticks -= now;
    r->node = n;
}

static inline void nytp_touch_current(nytp_recorder *r) {
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
}

/* Begins the intervals: the recorder was switched on, or has written; and ends them: before it writes or is switched
 * off. */
static inline void nytp_begin_intervals(nytp_recorder *r, int64_t now) {
    r->place->ticks -= now;
    r->node->ticks -= now;
    r->last = r->node_last = now;
}

static inline void nytp_end_intervals(nytp_recorder *r, int64_t now) {
    r->place->ticks += now;
    r->node->ticks += now;
    r->last = r->node_last = now;
}

/* Charges the running interval, if any, to n from its beginning on. */
static inline void nytp_replace_node(nytp_recorder *r, nytp_live_node *n) {
    if (r->on) nytp_go_to_node(r, n, r->node_last);
    else r->node = n;
}

static inline void nytp_replace_place(nytp_recorder *r, nytp_live_place *p) {
    if (r->on) nytp_go_to_place(r, p, r->last);
    else r->place = p;
}

/* Counts an event with a cost that is charged to the current place and node. */
static inline void nytp_count_event(nytp_recorder *r, enum nytp_event event) {
    r->place->events[event]++;
    r->node->events[event]++;
}

static inline void nytp_count_statement(nytp_recorder *r, nytp_live_place *p, int64_t now) {
    nytp_go_to_place(r, p, now);
    nytp_count_event(r, NYTP_EVENT_STATEMENT);
}

/* A statement begins. */
static inline void nytp_statement(nytp_recorder *r, nytp_live_place *p, int64_t now) {
    nytp_count_statement(r, p, now);
    nytp_touch_place(r, p);
    if (NYTP_UNLIKELY(now >= nytp_due_at(r))) nytp_flush(r, now);
}

/* Back in statement p, which is not counted again. */
static inline void nytp_switch(nytp_recorder *r, nytp_live_place *p, int64_t now) {
    nytp_go_to_place(r, p, now);
    nytp_touch_place(r, p);
    nytp_count_event(r, NYTP_EVENT_SWITCH);
}

/* Counts a statement without an event, or, with by = -1, takes one back. Its price goes to the root, as the function
 * that switches off has no other event. */
static inline void nytp_recount(nytp_recorder *r, nytp_live_place *p, int by) {
    p->events[NYTP_EVENT_STATEMENT] += (uint32_t)by;
    r->nodes.root.events[NYTP_EVENT_STATEMENT] += (uint32_t)by;
    nytp_touch_place(r, p);
    nytp_touch_node(r, &r->nodes.root);
}

/* The node that was entered from this site last, if it is for the sub; else NULL: use nodes.h. */
static inline nytp_live_node *nytp_cached_child(const nytp_live_node *parent, const nytp_live_place *site,
                                                nytp_subkey key) {
    nytp_live_node *n = site->last_node;
    return NYTP_LIKELY(n && n->parent == parent && nytp_subkey_eq(n->sub->key, key)) ? n : NULL;
}

/* The same among the newest children of parent. Two ops of one statement that run in turns, a match and the compilation
 * of its pattern, evict each other from the place's cache of one: nine slow ops of ten in perltidy. */
#define NYTP_NEAR 4

static inline nytp_live_node *nytp_near_child(const nytp_live_node *parent, const nytp_live_place *site,
                                              nytp_subkey key) {
    nytp_live_node *n = parent->first_child;
    for (int passed = 0; n && passed < NYTP_NEAR; passed++, n = n->next)
        if (n->site == site && nytp_subkey_eq(n->sub->key, key)) return n;
    return NULL;
}

/* A call of n begins: event is ENTER or LEAF_ENTER. The cost of a leaf's end is charged to its caller. The caller must
 * still count this event at its place. */
static inline void nytp_go_into(nytp_recorder *r, nytp_live_node *n, int64_t now, enum nytp_event event) {
    n->calls++;
    if (event == NYTP_EVENT_LEAF_ENTER) r->node->events[NYTP_EVENT_LEAF_EXIT]++;
    nytp_go_to_node(r, n->into, now);
    r->node->events[event]++;
}

static inline void nytp_count_call(nytp_recorder *r, nytp_live_node *n, int64_t now, enum nytp_event event) {
    nytp_go_into(r, n, now, event);
    r->place->events[event]++;
}

/* A call has ended (EXIT or LEAF_EXIT): node goes on in statement place, or in the current one if place is NULL. */
static inline void nytp_count_return(nytp_recorder *r, nytp_live_node *node, nytp_live_place *place, int64_t now,
                                     enum nytp_event event) {
    nytp_go_to_node(r, node, now);
    if (NYTP_LIKELY(place != NULL)) nytp_go_to_place(r, place, now);
    if (event == NYTP_EVENT_EXIT) nytp_count_event(r, event);
}

/* Begins a call with a frame of the front end's, which must keep r->node. */
static inline void nytp_begin_call(nytp_recorder *r, nytp_live_node *n, int64_t now, enum nytp_event event) {
    nytp_go_into(r, n, now, event);
    nytp_touch_node(r, n);
}

static inline void nytp_end_call(nytp_recorder *r, nytp_live_node *node, nytp_live_place *place, int64_t now,
                                 enum nytp_event event) {
    nytp_count_return(r, node, place, now, event);
    if (NYTP_UNLIKELY(!(r->place->queued & r->node->queued))) nytp_touch_current(r);
    if (NYTP_UNLIKELY(now >= nytp_due_late(r))) nytp_flush(r, now);
}

/* The rare rest of an event: touches the current place and node, and writes a window if one is due. */
static inline void nytp_settle(nytp_recorder *r, int64_t now) {
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
    if (now >= nytp_due_at(r)) nytp_flush(r, now);
}

/* Control has gone elsewhere without an event. */
static inline void nytp_jump(nytp_recorder *r, nytp_live_node *node, nytp_live_place *place, int64_t now) {
    nytp_go_to_place(r, place, now);
    nytp_go_to_node(r, node, now);
    nytp_touch_place(r, place);
    nytp_touch_node(r, node);
}

/* Charges the time since the last event of the tree to no call; the statement keeps it. */
static inline void nytp_leave_out(nytp_recorder *r, int64_t now) {
    r->window.waited += now - r->node_last;
    r->node->ticks -= now - r->node_last;
    r->node_last = now;
}

/* Takes the recorder's own work, from t0 to t1, both behind the last event, off the program's time. */
static inline void nytp_cold(nytp_recorder *r, int64_t t0, int64_t t1) {
    r->place->ticks -= t1 - t0;
    r->node->ticks -= t1 - t0;
    r->last += t1 - t0;
    r->node_last += t1 - t0;
    r->window.cold += t1 - t0;
}

/* Work that is done once for a place, a sub or a context lies between nytp_cold_begin and nytp_cold_end and is not
 * charged to the program; nested work counts once. A clock reading from before must be moved past it. */
typedef struct nytp_work {
    int64_t start, before;
} nytp_work;

static inline nytp_work nytp_cold_begin(nytp_recorder *r) {
    return (nytp_work){nytp_clock_peek(&r->clock), r->window.cold};
}

static inline void nytp_cold_end(nytp_recorder *r, nytp_work w) {
    if (!r->on) return;
    nytp_cold(r, w.start + (r->window.cold - w.before), nytp_clock_peek(&r->clock));
}

/* All such work of this window so far, and `now`, read when that was `before`, moved past what has been done since. */
static inline int64_t nytp_cold_so_far(const nytp_recorder *r) { return r->window.cold; }

static inline int64_t nytp_past_cold(const nytp_recorder *r, int64_t now, int64_t before) {
    return now + (r->window.cold - before);
}

/* The same if all work since the clock was read was the recorder's own. Returns the reading, increased. */
static inline int64_t nytp_cold_since(nytp_recorder *r, int64_t now) {
    int64_t before = nytp_cold_so_far(r);
    nytp_cold_end(r, (nytp_work){now, before});
    return nytp_past_cold(r, now, before);
}

/* A call of n noticed only at its end: it is charged the time since the last event of the tree. */
static inline void nytp_leaf_after(nytp_recorder *r, nytp_live_node *n, int64_t now) {
    n->calls++;
    n->into->ticks += now - r->node_last;
    r->node->ticks -= now - r->node_last;
    r->node_last = now;
    nytp_touch_node(r, n);
    nytp_touch_node(r, n->into);
}

#endif
