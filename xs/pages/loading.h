/* SPDX-License-Identifier: MIT */
/* loading.h - a section of the index: the time of loading modules. */
#ifndef NYTP_PAGES_LOADING_H
#define NYTP_PAGES_LOADING_H

#include "model/loading.h"
#include "pages/html.h"

void nytp_pages_loading_put(nytp_buf *out, const nytp_html *h, const nytp_loading *l); /* nothing without modules */

#endif
