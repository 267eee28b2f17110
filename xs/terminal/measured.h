/* SPDX-License-Identifier: MIT */
/* measured.h - metrics of subs, as columns of text beside their time. */
#ifndef NYTP_TERMINAL_MEASURED_H
#define NYTP_TERMINAL_MEASURED_H

#include "terminal/gprof.h"

/* Columns. Growth is what the first of the metrics has more than the second: there are two then. */
typedef struct nytp_measured {
    const nytp_gprof *g;
    const nytp_shown *shown; /* the metrics */
    int32_t has_growth;      /* 1: it has a column, and ranks */
} nytp_measured;

/* Leaves the subs that have a value of the first metric, or growth, the largest first, and returns their number;
 * all_kept 1: and the others behind them. */
uint32_t nytp_measured_rank(const nytp_measured *m, uint32_t *subs, uint32_t n, int all_kept);

/* The heading of the columns, with the metrics of processes above it; a sub's row. */
void nytp_measured_head(nytp_buf *out, const nytp_measured *m);
void nytp_measured_row(nytp_buf *out, const nytp_measured *m, uint32_t sub);
void nytp_measured_legend(nytp_buf *out, const nytp_measured *m);

#endif
