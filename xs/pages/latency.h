/* SPDX-License-Identifier: MIT */
/* latency.h - how long single calls of a sub took (option latency): columns of the index, a line of a source page, and
 * words in its lists of callers and callees. All put nothing where that is not known. */
#ifndef NYTP_PAGES_LATENCY_H
#define NYTP_PAGES_LATENCY_H

#include "pages/html.h"

/* Heads of the columns p50, p99 and longest, and the cells of a row; nothing if no sub has lengths. */
void nytp_pages_latency_heads(nytp_buf *out, const nytp_html *h);
void nytp_pages_latency_cells(nytp_buf *out, const nytp_html *h, uint32_t sub);

/* The part of data.js that pages/DATA describes, of n subs. */
void nytp_pages_latency_data(nytp_buf *out, const nytp_html *h, const uint32_t *subs, uint32_t n);

/* A paragraph with quantiles, the longest call with its moment, and a picture of all calls, for a sub with more than
 * one call. Returns its number of lines, 0 or 1. */
uint32_t nytp_pages_latency_put(nytp_buf *out, const nytp_html *h, uint32_t sub);

/* The same of one call site, as words behind a comma. */
void nytp_pages_latency_edge(nytp_buf *out, const nytp_html *h, const nytp_edge *e);

#endif
