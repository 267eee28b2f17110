/* SPDX-License-Identifier: MIT */
/* lines.h - sections of the index: the hottest lines, and those that grow. */
#ifndef NYTP_PAGES_LINES_H
#define NYTP_PAGES_LINES_H

#include "pages/html.h"

/* Nothing where no line has a share of the time. Returns an nytp_code. */
int nytp_pages_lines_put(nytp_buf *out, const nytp_html *h);

/* The lines that have made more than they have freed, where the profile has and shows both. Returns an nytp_code. */
int nytp_pages_lines_growth_put(nytp_buf *out, const nytp_html *h);

#endif
