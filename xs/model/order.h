/* SPDX-License-Identifier: MIT */
/* order.h - which rows come first, and how hot a row is. */
#ifndef NYTP_MODEL_ORDER_H
#define NYTP_MODEL_ORDER_H

#include "model/metrics.h"
#include "model/profile.h"

/* The last two are of the lengths of single calls; subs without any come last. */
enum nytp_order {
    NYTP_ORDER_EXCLUSIVE, NYTP_ORDER_INCLUSIVE, NYTP_ORDER_CALLS, NYTP_ORDER_NAME, NYTP_ORDER_P99, NYTP_ORDER_LONGEST
};

/* The subs that were called, most first, ties by name; *n is their number. The caller frees the array; NULL when memory
 * is short. */
uint32_t *nytp_order_subs(const nytp_profile *p, enum nytp_order by, uint32_t *n);

/* The same of all that has time or calls, the main program and its phases too; uncalled 1: and of the other subs. */
uint32_t *nytp_order_all(const nytp_profile *p, enum nytp_order by, int uncalled, uint32_t *n);

/* The same of one file's subs. */
uint32_t *nytp_order_file_subs(const nytp_profile *p, const nytp_file *f, enum nytp_order by, uint32_t *n);

/* The files worth a row, most statement time first, ties by name; as above. */
uint32_t *nytp_order_files(const nytp_profile *p, uint32_t *n);

typedef struct nytp_order_line {
    const nytp_line *line;
    uint32_t file;
    int64_t growth; /* of growing lines */
} nytp_order_line;

/* Lines with any heat (below), the most time first, ties by file and line; as above. They are some thousands at most,
 * as each has its share of the run, but for times below zero. */
nytp_order_line *nytp_order_hot_lines(const nytp_profile *p, uint32_t *n);

/* Lines that have made more than they have freed, the most growth first; likewise. */
nytp_order_line *nytp_order_growing_lines(const nytp_profile *p, nytp_metrics_pair of, uint32_t *n);

#define NYTP_ORDER_HOTTEST 7

/* 0 (cold) to that: ticks as a share of the run, in steps that are about logarithmic: 0.03 %, 0.1 %, 0.4 %, 1.5 %, 5 %,
 * 15 %, 50 %. */
int nytp_order_heat(int64_t ticks, int64_t total);

#endif
