/* SPDX-License-Identifier: MIT */
/* info_metrics.c - sums up what a capture says of metrics, without its places and nodes. */
#include "cli/info_metrics.h"

#include "model/metrics.h"
#include "report/escape.h"
#include "report/shown.h"
#include "report/text.h"

enum { PLACES, NODES, PROCESSES };

/* Streams have ids of their own. */
static uint64_t key_of(uint32_t stream, uint64_t id) { return (uint64_t)stream << 40 ^ id; }

static void define(nytp_info_metrics *m, uint32_t stream, const nytp_rec_metric *r) {
    const nytp_metric *metric = nytp_metrics_define(&m->p, r);
    uint32_t *number = nytp_map_at(&m->known, key_of(stream, r->id));
    if (number) *number = metric ? (uint32_t)(metric - m->p.metrics) + 1 : 0;
    else m->failed = 1;
}

static uint32_t *row_of(nytp_info_metrics *m, uint64_t of, uint64_t id) {
    if (of == NYTP_OF_PLACE) return id ? &m->rows[PLACES] : NULL; /* 0 is outside statements */
    if (of == NYTP_OF_NODE) return &m->rows[NODES];
    return of == NYTP_OF_PROCESS ? &m->rows[PROCESSES] : NULL;
}

static void add(nytp_info_metrics *m, uint32_t stream, const nytp_rec_value *r) {
    uint32_t number = nytp_map_get(&m->known, key_of(stream, r->metric)), *row = row_of(m, r->of, r->id);
    if (number && row) nytp_metrics_put(&m->p, number - 1, row, r->value);
}

void nytp_info_metrics_take(nytp_info_metrics *m, const nytp_record *r) {
    if (r->kind == NYTP_REC_METRIC) define(m, r->stream, &r->u.metric);
    if (r->kind == NYTP_REC_VALUES) add(m, r->stream, &r->u.value);
    if (r->kind == NYTP_REC_OLD_PLACE_MEMORY && r->u.memory.id)
        nytp_metrics_put_memory(&m->p, &m->rows[PLACES], &r->u.memory);
    m->failed |= m->p.metrics_failed;
}

/* As in reports: over statements, else over calls, else over processes; samples are also those outside statements. */
static int64_t total_of(const nytp_info_metrics *m, uint32_t metric) {
    uint32_t of = m->p.metrics[metric].of;
    int is_samples = nytp_str_eq(m->p.metrics[metric].unit, NYTP_LIT("samples")) && of & NYTP_OF_NODE;
    int kind = of & NYTP_OF_PLACE && !is_samples ? PLACES : of & NYTP_OF_NODE ? NODES : PROCESSES;
    return nytp_metrics_get(&m->p, metric, m->rows[kind]);
}

void nytp_info_metrics_put(nytp_buf *out, const nytp_info_metrics *m) {
    for (uint32_t i = 0; i < m->p.metrics_n; i++) {
        const nytp_metric *metric = &m->p.metrics[i];
        nytp_text_format(out, "%-12s %.*s: ", i ? "" : "metrics", (int)metric->name.n, metric->name.p);
        nytp_str unit = nytp_shown_amount(out, metric, total_of(m, i));
        if (unit.n) nytp_buf_byte(out, ' ');
        nytp_escape_text(out, unit);
        nytp_text_put(out, " (");
        nytp_escape_text(out, metric->title);
        nytp_text_put(out, ")\n");
    }
}

void nytp_info_metrics_free(nytp_info_metrics *m) {
    nytp_map_free(&m->known);
    nytp_profile_close(&m->p);
}
