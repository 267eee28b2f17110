/* SPDX-License-Identifier: MIT */
/* sliced.h - the call tree's time and metrics by slices of the strip, so that the index page can show the tree of a
 * stretch. */
#ifndef NYTP_PAGES_SLICED_H
#define NYTP_PAGES_SLICED_H

#include "pages/html.h"

/* Puts the part of the block (DATA). Returns an nytp_code. */
int nytp_sliced_put(nytp_buf *out, const nytp_html *h);

#endif
