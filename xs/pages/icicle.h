/* SPDX-License-Identifier: MIT */
/* icicle.h - the call tree as a still picture, a section of the index. */
#ifndef NYTP_PAGES_ICICLE_H
#define NYTP_PAGES_ICICLE_H

#include "pages/html.h"

/* The metric that the picture shows: the one that ranks, if it adds up to something; NULL: time. */
const nytp_metric *nytp_icicle_metric(const nytp_html *h);

void nytp_icicle_put(nytp_buf *out, const nytp_html *h); /* nothing where h->contexts is empty */

#endif
