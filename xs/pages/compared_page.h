/* SPDX-License-Identifier: MIT */
/* compared_page.h - the HTML page of what differs between profiles of two sides. */
#ifndef NYTP_PAGES_COMPARED_PAGE_H
#define NYTP_PAGES_COMPARED_PAGE_H

#include "pages/html.h"
#include "report/judged.h"
#include "report/sink.h"

/* As nytp_report.write_compared. */
int nytp_compared_page_write(const nytp_compared_request *r, nytp_sink *sink);

/* The section of the index on what has changed since the capture of --base, with links; nothing without one. Returns
 * NYTP_OK or NYTP_NOMEM. */
int nytp_compared_page_put(nytp_buf *out, const nytp_html *h);

#endif
