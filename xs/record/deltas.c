/* SPDX-License-Identifier: MIT */
/* deltas.c - the differences between what has been counted and what has been written.
 *
 * Counters are narrow and wrap round, and the difference to what has been written may be negative. A draft leaves that
 * as it is; where the difference becomes large, `written` follows by half a round, which is noted in a map. Rounds of
 * what has been written are in another map. Most counters have an entry in neither. */
#include "record/deltas.h"

#include <string.h>

/* A node's counters: its events by their numbers, and behind them its calls. A place's are its events. */
#define CALLS NYTP_EVENTS
#define COUNTERS (NYTP_EVENTS + 1)

#define HALF (INT64_C(1) << 30) /* of the range of a difference */

static int64_t since(uint32_t now, uint32_t written) { return (int32_t)(now - written); }

static uint64_t key_of(const nytp_live_node *n, uint32_t counter) { return (uint64_t)n->id * COUNTERS + counter; }

static uint64_t key_of_place(const nytp_live_place *p, uint32_t event) {
    return UINT64_C(1) << 63 | ((uint64_t)p->id * NYTP_PLACE_EVENTS + event);
}

/* What `written` is ahead of the file. */
static int64_t ahead(const nytp_recorder *r, uint64_t key) {
    return r->nodes.halves.n ? HALF * nytp_map_get(&r->nodes.halves, key) : 0;
}

/* The sum written of a counter; for the root that of earlier outputs. */
static int64_t written_before(const nytp_recorder *r, const nytp_live_node *n, uint32_t counter, uint32_t written) {
    int64_t rounds = (int32_t)nytp_map_get(&r->nodes.rounds, key_of(n, counter));
    return n->parent ? rounds * (UINT32_MAX + INT64_C(1)) + written : 0;
}

int64_t nytp_deltas_calls(const nytp_recorder *r, const nytp_live_node *n) {
    return written_before(r, n, CALLS, n->written_calls) + since(n->calls, n->written_calls);
}

/* ---- putting ---- */

static void put_place(const nytp_recorder *r, const nytp_live_place *p) {
    nytp_record out = {.kind = NYTP_REC_PLACE_DELTA, .u.delta = {.id = p->id, .ticks = p->ticks - p->written_ticks}};
    nytp_rec_delta *delta = &out.u.delta;
    int is_same = !delta->ticks && memcmp(p->events, p->written, sizeof p->events) == 0;
    if (is_same && !r->nodes.halves.n) return;
    for (uint32_t event = 0; event < NYTP_PLACE_EVENTS; event++)
        delta->events[event] = since(p->events[event], p->written[event]) + ahead(r, key_of_place(p, event));
    delta->count = delta->events[NYTP_EVENT_STATEMENT];
    nytp_writer_put(r->output.writer, &out);
}

/* The growth of a counter since it was written, or its total. */
static int64_t growth(const nytp_recorder *r, const nytp_live_node *n, uint32_t counter, uint32_t now,
                      uint32_t written, int is_total) {
    int64_t before = is_total ? written_before(r, n, counter, written) : 0;
    return before + since(now, written) + ahead(r, key_of(n, counter));
}

static int is_written(const nytp_live_node *n) {
    return n->calls == n->written_calls && n->ticks == n->written_ticks &&
           memcmp(n->events, n->written, sizeof n->events) == 0;
}

static void put_node(const nytp_recorder *r, const nytp_live_node *n, int is_total) {
    int is_same = is_written(n) && !(is_total && nytp_deltas_calls(r, n));
    if (is_same && !r->nodes.halves.n) return;
    nytp_record out = {.kind = NYTP_REC_NODE_DELTA, .u.delta = {.id = n->id, .ticks = n->ticks - n->written_ticks}};
    out.u.delta.count = growth(r, n, CALLS, n->calls, n->written_calls, is_total);
    for (uint32_t event = 0; event < NYTP_EVENTS; event++)
        out.u.delta.events[event] = growth(r, n, event, n->events[event], n->written[event], is_total);
    nytp_writer_put(r->output.writer, &out);
}

void nytp_deltas_put_nodes(nytp_recorder *r, int totals) {
    for (uint32_t i = 0; i < r->queue.node_n; i++) put_node(r, r->queue.nodes[i], totals);
}

void nytp_deltas_put_places(nytp_recorder *r, uint32_t spared) {
    for (uint32_t i = 0; i < r->queue.place_n; i++)
        if (r->queue.places[i]->id != spared) put_place(r, r->queue.places[i]);
}

/* ---- what was put ---- */

/* Notes where what is written goes round; counters that never do have no entry. */
static int advance(nytp_recorder *r, const nytp_live_node *n, uint32_t counter, uint32_t *written, int64_t step) {
    int64_t now = *written + step;
    int rounds = (now > UINT32_MAX) - (now < 0);
    uint32_t *known = rounds ? nytp_map_at(&r->nodes.rounds, key_of(n, counter)) : NULL;
    if (known) *known += (uint32_t)rounds;
    *written = (uint32_t)now;
    return !rounds || known;
}

static int settle_node(nytp_recorder *r, nytp_live_node *n) {
    int fine = advance(r, n, CALLS, &n->written_calls, since(n->calls, n->written_calls));
    for (uint32_t event = 0; event < NYTP_EVENTS; event++)
        fine &= advance(r, n, event, n->written + event, since(n->events[event], n->written[event]));
    n->written_ticks = n->ticks;
    n->queued = 0;
    return fine;
}

static void settle_place(nytp_live_place *p) {
    p->written_ticks = p->ticks;
    memcpy(p->written, p->events, sizeof p->events);
}

int nytp_deltas_settle_nodes(nytp_recorder *r) {
    int fine = 1;
    for (uint32_t i = 0; i < r->queue.node_n; i++) fine &= settle_node(r, r->queue.nodes[i]);
    r->queue.node_n = 0;
    return fine;
}

int nytp_deltas_settle(nytp_recorder *r, uint32_t spared) {
    int fine = nytp_deltas_settle_nodes(r);
    for (uint32_t i = 0; i < r->queue.place_n; i++) {
        nytp_live_place *p = r->queue.places[i];
        p->queued = 0;
        if (p->id != spared) settle_place(p);
    }
    r->queue.place_n = 0;
    nytp_map_free(&r->nodes.halves);
    return fine;
}

/* ---- for others ---- */

void nytp_deltas_move_place(nytp_live_place *from, nytp_live_place *to) {
    to->ticks += from->ticks - from->written_ticks;
    for (uint32_t event = 0; event < NYTP_PLACE_EVENTS; event++)
        to->events[event] += from->events[event] - from->written[event];
    settle_place(from);
}

int nytp_deltas_move_node(nytp_recorder *r, nytp_live_node *from, nytp_live_node *to) {
    to->ticks += from->ticks - from->written_ticks;
    for (uint32_t event = 0; event < NYTP_EVENTS; event++)
        to->events[event] += from->events[event] - from->written[event];
    return settle_node(r, from);
}

/* ---- drafts ---- */

static int keep_node(nytp_recorder *r, nytp_live_node *n, uint32_t counter, uint32_t now, uint32_t *written) {
    if (since(now, *written) < HALF) return 1;
    uint32_t *halves = nytp_map_at(&r->nodes.halves, key_of(n, counter));
    if (!halves) return 0;
    ++*halves;
    if (counter < NYTP_EVENTS) r->lag.kept += HALF * r->prices[counter].ticks;
    return advance(r, n, counter, written, HALF);
}

static int keep_place(nytp_recorder *r, nytp_live_place *p, uint32_t event) {
    if (since(p->events[event], p->written[event]) < HALF) return 1;
    uint32_t *halves = nytp_map_at(&r->nodes.halves, key_of_place(p, event));
    if (!halves) return 0;
    ++*halves;
    p->written[event] += (uint32_t)HALF;
    return 1;
}

int nytp_deltas_keep(nytp_recorder *r) {
    int fine = 1;
    for (uint32_t i = 0; i < r->queue.node_n; i++) {
        nytp_live_node *n = r->queue.nodes[i];
        fine &= keep_node(r, n, CALLS, n->calls, &n->written_calls);
        for (uint32_t event = 0; event < NYTP_EVENTS; event++)
            fine &= keep_node(r, n, event, n->events[event], n->written + event);
    }
    for (uint32_t i = 0; i < r->queue.place_n; i++)
        for (uint32_t event = 0; event < NYTP_PLACE_EVENTS; event++) fine &= keep_place(r, r->queue.places[i], event);
    return fine;
}

void nytp_deltas_forget(nytp_recorder *r) {
    for (uint32_t i = 0; i < r->queue.place_n; i++) {
        settle_place(r->queue.places[i]);
        r->queue.places[i]->queued = 0;
    }
    for (uint32_t i = 0; i < r->queue.node_n; i++) r->queue.nodes[i]->queued = 0;
    r->queue.place_n = r->queue.node_n = 0;
    nytp_map_free(&r->nodes.halves);
}
