/* SPDX-License-Identifier: MIT */
/* spans.h - a section of the index: what the program itself has given names to. */
#ifndef NYTP_PAGES_SPANS_H
#define NYTP_PAGES_SPANS_H

#include "pages/html.h"

/* Nothing where the program has named no spans and no counts. Returns an nytp_code. */
int nytp_pages_spans_put(nytp_buf *out, const nytp_html *h);

#endif
