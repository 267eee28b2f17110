/* SPDX-License-Identifier: MIT */
/* strip.h - what passed, as a bar in the head of the index, and the section that shows what passed when. Private to
 * index. */
#ifndef NYTP_PAGES_STRIP_H
#define NYTP_PAGES_STRIP_H

#include "pages/html.h"
#include "pages/slices.h"

/* Both append nothing if the profile does not tell when its counts were made, so that there are no slices. */

/* A bar with a part for each thing that passed, and the same in words: the legend of the strip, too. */
void nytp_pages_strip_bar(nytp_buf *out, const nytp_html *h, const nytp_slices *s);

/* A picture with a lane for each process, and the same as a table. Returns an nytp_code. */
int nytp_pages_strip_put(nytp_buf *out, const nytp_html *h, const nytp_slices *s);

#endif
