/* SPDX-License-Identifier: MIT */
/* counters.c - columns of the front end's counters: a row for each place and node. Values become 0 when written. */
#include "record/counters.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Columns: those behind the last counter of places or nodes are of the process only. */
static uint32_t columns_of(const nytp_front *front) {
    uint32_t n = 0, columns = 0;
    for (; front->counters[n].name; n++)
        if (front->counters[n].of & (NYTP_OF_PLACE | NYTP_OF_NODE)) columns = n + 1;
    assert(columns && n <= NYTP_FORMAT_METRICS);
    return columns;
}

int64_t *nytp_counters_more(nytp_recorder *r, nytp_columns *c, uint32_t id) {
    uint32_t width = columns_of(&r->front), n = c->n ? c->n : 1024;
    while (n <= id) n *= 2;
    int64_t *grown = realloc(c->at, (size_t)n * width * sizeof *grown);
    if (!grown) {
        nytp_recorder_fail(r);
        return NULL;
    }
    memset(grown + (size_t)c->n * width, 0, (size_t)(n - c->n) * width * sizeof *grown);
    r->counts.n = width;
    *c = (nytp_columns){grown, n};
    return grown + (size_t)id * width;
}

/* ---- writing ---- */

static void define(nytp_recorder *r, uint32_t counter) {
    const nytp_counter *c = r->front.counters + counter;
    if (r->counts.generation[counter] == r->output.generation) return;
    r->counts.generation[counter] = r->output.generation;
    nytp_record out = {.kind = NYTP_REC_METRIC};
    out.u.metric = (nytp_rec_metric){.id = counter + 1u, .of = c->of, .adds = c->adds, .name = nytp_str_c(c->name),
                                     .unit = nytp_str_c(c->unit), .title = nytp_str_c(c->title)};
    nytp_writer_put(r->output.writer, &out);
}

typedef void work(nytp_recorder *r, uint32_t counter, enum nytp_metric_of of, uint32_t id, int64_t *value);

static void define_value(nytp_recorder *r, uint32_t counter, enum nytp_metric_of of, uint32_t id, int64_t *value) {
    (void)of, (void)id, (void)value;
    define(r, counter);
}

static void put_value(nytp_recorder *r, uint32_t counter, enum nytp_metric_of of, uint32_t id, int64_t *value) {
    nytp_record out = {.kind = NYTP_REC_VALUES, .u.value = {counter + 1u, of, id, *value}};
    nytp_writer_put(r->output.writer, &out);
}

static void settle_value(nytp_recorder *r, uint32_t counter, enum nytp_metric_of of, uint32_t id, int64_t *value) {
    (void)r, (void)counter, (void)of, (void)id;
    *value = 0;
}

static void at_cell(nytp_recorder *r, nytp_columns *c, uint32_t counter, enum nytp_metric_of of, uint32_t id, work *f) {
    int64_t *value = id < c->n ? c->at + (size_t)id * r->counts.n + counter : NULL;
    if (value && *value) f(r, counter, of, id, value);
}

/* Counter by counter, so that consecutive values have similar ids. Place 0 is no place. */
static void at_values(nytp_recorder *r, work *f) {
    nytp_counts *m = &r->counts;
    for (uint32_t counter = 0; counter < m->n; counter++) {
        for (uint32_t i = 0; i < r->queue.place_n; i++)
            if (r->queue.places[i]->id) at_cell(r, &m->places, counter, NYTP_OF_PLACE, r->queue.places[i]->id, f);
        for (uint32_t i = 0; i < r->queue.node_n; i++)
            at_cell(r, &m->nodes, counter, NYTP_OF_NODE, r->queue.nodes[i]->id, f);
    }
    for (uint32_t counter = 0; counter < NYTP_FORMAT_METRICS; counter++)
        if (m->process[counter]) f(r, counter, NYTP_OF_PROCESS, 0, m->process + counter);
}

void nytp_counters_define(nytp_recorder *r) { at_values(r, define_value); }

void nytp_counters_put(nytp_recorder *r) { at_values(r, put_value); }

void nytp_counters_settle(nytp_recorder *r) { at_values(r, settle_value); }

/* ---- a profile's end ---- */

static void zero(const nytp_counts *m, nytp_columns *c) {
    if (c->n) memset(c->at, 0, (size_t)c->n * m->n * sizeof *c->at);
}

void nytp_counters_forget(nytp_recorder *r) {
    zero(&r->counts, &r->counts.places);
    zero(&r->counts, &r->counts.nodes);
    memset(r->counts.process, 0, sizeof r->counts.process);
}

void nytp_counters_close(nytp_recorder *r) {
    free(r->counts.places.at);
    free(r->counts.nodes.at);
}
