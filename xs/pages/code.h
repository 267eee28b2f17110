/* SPDX-License-Identifier: MIT */
/* code.h - the lines of a source page. */
#ifndef NYTP_PAGES_CODE_H
#define NYTP_PAGES_CODE_H

#include "pages/html.h"

void nytp_code_put(nytp_buf *out, const nytp_html *h, uint32_t file); /* the table of all of them */

#endif
