/* SPDX-License-Identifier: MIT */
/* counters.h - the front end's own counters, beside count and ticks: bytes allocated, instructions and so on.
 *
 * A counter is a row of the table that the front end has in nytp_front.counters, known by its place there; no file of
 * record/ or capture/ knows one by name, and readers only those of samples and of option waiting. What is counted
 * belongs to the current place and node, or to the process, as the row says, and is written with the next window. An
 * unused counter is never written, and a column gets memory with its first value. */
#ifndef NYTP_RECORD_COUNTERS_H
#define NYTP_RECORD_COUNTERS_H

#include <assert.h>

#include "base/ticks.h"
#include "record/recorder.h"

/* Slow path: makes room for that row and returns it; NULL, with the recorder dead, when memory is short. */
int64_t *nytp_counters_more(nytp_recorder *r, nytp_columns *c, uint32_t id);

static inline int64_t *nytp_counters_row(nytp_recorder *r, nytp_columns *c, uint32_t id) {
    return NYTP_LIKELY(id < c->n) ? c->at + (size_t)id * r->counts.n : nytp_counters_more(r, c, id);
}

static inline void nytp_counters_add(int64_t *value, uint32_t adds, int64_t by) {
    if (adds == NYTP_ADDS_SUM) *value = nytp_ticks_add(*value, by);
    else if (by > *value) *value = by;
}

/* Adds to the counter at that index of the front end's table, for the current place and node, as set by the latest
 * event. To be called while the recorder is on. Calls nothing but malloc, and that rarely. */
static inline void nytp_counters_count(nytp_recorder *r, uint32_t counter, int64_t by) {
    const nytp_counter *c = r->front.counters + counter;
    int64_t *row;
    if (c->of & NYTP_OF_PLACE && NYTP_LIKELY((row = nytp_counters_row(r, &r->counts.places, r->place->id)) != NULL))
        nytp_counters_add(row + counter, c->adds, by);
    if (c->of & NYTP_OF_NODE && NYTP_LIKELY((row = nytp_counters_row(r, &r->counts.nodes, r->node->id)) != NULL))
        nytp_counters_add(row + counter, c->adds, by);
    if (c->of & NYTP_OF_PROCESS) nytp_counters_add(r->counts.process + counter, c->adds, by);
}

/* The same for n neighbouring counters of places and nodes that add up, with one lookup of the rows: for very frequent
 * events. */
static inline void nytp_counters_sum(nytp_recorder *r, uint32_t first, uint32_t n, const int64_t *by) {
    int64_t *place = nytp_counters_row(r, &r->counts.places, r->place->id);
    int64_t *node = nytp_counters_row(r, &r->counts.nodes, r->node->id);
    for (uint32_t i = 0; i < n && NYTP_LIKELY(place && node); i++) {
        assert(r->front.counters[first + i].of == (NYTP_OF_PLACE | NYTP_OF_NODE));
        assert(r->front.counters[first + i].adds == NYTP_ADDS_SUM);
        place[first + i] = nytp_ticks_add(place[first + i], by[i]);
        node[first + i] = nytp_ticks_add(node[first + i], by[i]);
    }
}

/* Of the process and of all queued places and nodes: define the counters that have values, put these, and note that
 * what was put is written. A draft is not: its values are put again. */
void nytp_counters_define(nytp_recorder *r);
void nytp_counters_put(nytp_recorder *r);
void nytp_counters_settle(nytp_recorder *r);

/* Drops values that are not written yet, as they belong to another file. */
void nytp_counters_forget(nytp_recorder *r);

void nytp_counters_close(nytp_recorder *r);

#endif
