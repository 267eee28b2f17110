/* SPDX-License-Identifier: MIT */
/* calls.h - the parts between lines of a source page: headings of subs, callers, callees, evals. */
#ifndef NYTP_PAGES_CALLS_H
#define NYTP_PAGES_CALLS_H

#include "pages/html.h"

float nytp_calls_edge_spread(const nytp_html *h, const nytp_edge *e); /* its spread */

/* 1: the sub was called, and not only by a line of its own, as BEGIN blocks are: that call's entry tells all of it. */
int nytp_calls_has_heading(const nytp_html *h, uint32_t sub);
void nytp_calls_heading(nytp_buf *out, const nytp_html *h, uint32_t sub); /* name, </a>, and its figures */

/* Lists, the most time first. They return their number of lines, while their ends are folded. */
uint32_t nytp_calls_callers(nytp_buf *out, const nytp_html *h, uint32_t sub); /* none if the heading names the one */
uint32_t nytp_calls_callees(nytp_buf *out, const nytp_html *h, const uint32_t *sites, uint32_t n); /* of one line */
uint32_t nytp_calls_evals(nytp_buf *out, const nytp_html *h, const uint32_t *evals, uint32_t n);   /* of one line */

void nytp_calls_article(nytp_buf *out, const nytp_html *h, uint32_t sub); /* a sub without source, with its callers */

#endif
