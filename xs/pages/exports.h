/* SPDX-License-Identifier: MIT */
/* exports.h - the commands that make files for other programs of the same captures, as a section of the index. */
#ifndef NYTP_PAGES_EXPORTS_H
#define NYTP_PAGES_EXPORTS_H

#include "pages/html.h"

/* The names of the captures as a shell takes them, escaped for HTML. */
void nytp_exports_files(nytp_buf *out, const nytp_profile *p);

void nytp_exports_put(nytp_buf *out, const nytp_html *h);

#endif
