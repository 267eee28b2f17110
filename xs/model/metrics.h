/* SPDX-License-Identifier: MIT */
/* metrics.h - counters beside count and ticks: bytes allocated, for instance.
 *
 * profile.metrics lists them. A thing (place, line, file, node, edge, sub, process, the totals) that has a value of any
 * of them has a row of its own; each metric is a column over all rows. So a thing needs one number, however many
 * metrics there are, and one function adds up them all. */
#ifndef NYTP_MODEL_METRICS_H
#define NYTP_MODEL_METRICS_H

#include "base/ticks.h"
#include "model/profile.h"

/* A row's value; 0 where it has none, as has row 0. */
static inline int64_t nytp_metrics_get(const nytp_profile *p, uint32_t metric, uint32_t row) {
    const nytp_metric *m = &p->metrics[metric];
    return row < m->n ? m->at[row] : 0;
}

/* Combines two values. */
static inline int64_t nytp_metrics_join(const nytp_metric *m, int64_t a, int64_t b) {
    if (m->adds != NYTP_ADDS_MAX) return nytp_ticks_add(a, b);
    return a > b ? a : b;
}

/* The metric of that name, or metrics_n. */
uint32_t nytp_metrics_find(const nytp_profile *p, nytp_str name);

/* What is made and freed: two metrics whose difference is growth. */
typedef struct nytp_metrics_pair {
    uint32_t made, freed; /* metrics_n: there are none */
} nytp_metrics_pair;

/* The metric NAME or NAME-made of what is made, of which metric i, NAME-freed, is what is freed; or metrics_n. */
uint32_t nytp_metrics_made_of(const nytp_profile *p, uint32_t i);

/* Bytes rather than anything else. */
nytp_metrics_pair nytp_metrics_growth(const nytp_profile *p);

/* How much more a row has of what is made than of what is freed; below zero if it frees what others have made. */
static inline int64_t nytp_metrics_grown(const nytp_profile *p, nytp_metrics_pair of, uint32_t row) {
    return nytp_ticks_minus(nytp_metrics_get(p, of.made, row), nytp_metrics_get(p, of.freed, row));
}

/* Private to load; p->metrics_failed is set when memory is short. */

/* The metric of that name, unit and way to add up: new, or extended by the kinds of things it is of. Its name is made
 * one word, with a number where that is the name of another one or of a column that reports have. NULL, with a note,
 * if there are too many, or if memory is short. */
nytp_metric *nytp_metrics_define(nytp_profile *p, const nytp_rec_metric *what);

/* Combines a value with that in *row, the row of a thing, which is made if it is 0. */
void nytp_metrics_put(nytp_profile *p, uint32_t metric, uint32_t *row, int64_t value);

/* Adds all values of row `from` to those of *to. */
void nytp_metrics_add(nytp_profile *p, uint32_t *to, uint32_t from);

/* Adds a record of memory of older captures, as values of two metrics, which it defines; row NULL: of nothing. */
void nytp_metrics_put_memory(nytp_profile *p, uint32_t *row, const nytp_rec_memory *r);

#endif
