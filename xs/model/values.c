/* SPDX-License-Identifier: MIT */
/* values.c - maps a stream's metrics to the profile's, and its values to rows of their things. */
#include "model/values.h"

#include "model/metrics.h"
#include "model/stretches.h"

enum nytp_code nytp_values_define(nytp_loader *l, nytp_stream *s, const nytp_rec_metric *r) {
    const nytp_metric *metric = nytp_metrics_define(l->p, r);
    int is_kept = !metric || nytp_ids_set(&s->metrics, r->id, (uint32_t)(metric - l->p->metrics) + 1);
    return is_kept ? NYTP_OK : nytp_loader_no_memory(l);
}

static uint32_t *place_row(const nytp_loader *l, const nytp_stream *s, uint64_t id) {
    uint32_t number = nytp_ids_get(&s->places, id);
    return &l->p->places[number ? number - 1 : 0].values;
}

static uint32_t node_of(const nytp_stream *s, uint64_t id) {
    uint32_t number = nytp_ids_get(&s->nodes, id);
    return number ? number - 1 : NYTP_UNKNOWN;
}

/* The row number of a thing, by kind and id; NULL if there is no such thing, as outside statements. */
static uint32_t *row_of(const nytp_loader *l, const nytp_stream *s, uint64_t of, uint64_t id) {
    if (of == NYTP_OF_PLACE) return id ? place_row(l, s, id) : NULL;
    if (of == NYTP_OF_NODE) return &l->p->nodes[node_of(s, id)].own;
    return of == NYTP_OF_PROCESS ? &l->p->processes[s->process].values : NULL;
}

enum nytp_code nytp_values_take(nytp_loader *l, nytp_stream *s, const nytp_rec_value *r) {
    uint32_t metric = nytp_ids_get(&s->metrics, r->metric), *row = metric ? row_of(l, s, r->of, r->id) : NULL;
    if (row) nytp_metrics_put(l->p, metric - 1, row, r->value);
    int is_of_node = row && r->of == NYTP_OF_NODE;
    return is_of_node ? nytp_stretches_value(l, s, metric - 1, node_of(s, r->id), r->value) : NYTP_OK;
}

enum nytp_code nytp_values_memory(const nytp_loader *l, const nytp_stream *s, enum nytp_metric_of of,
                                  const nytp_rec_memory *r) {
    nytp_metrics_put_memory(l->p, row_of(l, s, of, r->id), r);
    return NYTP_OK;
}
