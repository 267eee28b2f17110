/* SPDX-License-Identifier: MIT */
/* loading.h - a section of the index: what loading modules took. */
#ifndef NYTP_PAGES_LOADING_H
#define NYTP_PAGES_LOADING_H

#include "pages/html.h"

int nytp_pages_loading_put(nytp_buf *out, const nytp_html *h); /* nothing where none was loaded. Returns an nytp_code */

#endif
