/* SPDX-License-Identifier: MIT */
/* loading.h - a section of the index: the time of loading modules. */
#ifndef NYTP_PAGES_LOADING_H
#define NYTP_PAGES_LOADING_H

#include "pages/html.h"

int nytp_pages_loading_put(nytp_buf *out, const nytp_html *h); /* nothing without modules. Returns an nytp_code */

#endif
