/* SPDX-License-Identifier: MIT */
/* blocks.h - the lines that a block and a sub consist of. */
#ifndef NYTP_PAGES_BLOCKS_H
#define NYTP_PAGES_BLOCKS_H

#include "pages/html.h"

int nytp_blocks_find(nytp_html *h); /* fills in h->blocks. Returns an nytp_code */
void nytp_blocks_put(nytp_buf *out, const nytp_html *h, uint32_t file); /* attribute for html/source.js */

#endif
