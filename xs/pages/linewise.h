/* SPDX-License-Identifier: MIT */
/* linewise.h - files' and lines' time by slices of the strip, so that the index page can show that of a stretch. */
#ifndef NYTP_PAGES_LINEWISE_H
#define NYTP_PAGES_LINEWISE_H

#include "pages/html.h"

/* Puts the part of the block (DATA) for these files, in their order. Returns an nytp_code. */
int nytp_linewise_put(nytp_buf *out, const nytp_html *h, const uint32_t *files, uint32_t n);

#endif
