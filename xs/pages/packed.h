/* SPDX-License-Identifier: MIT */
/* packed.h - a page's block of data as the statement of a script that loads it (DATA). */
#ifndef NYTP_PAGES_PACKED_H
#define NYTP_PAGES_PACKED_H

#include "base/buf.h"
#include "base/str.h"

/* Appends NP.load("base64"), or NP.loadz of the block deflated, where that is wanted and there is zlib. */
void nytp_packed_put(nytp_buf *out, nytp_str block, int no_compress);

#endif
