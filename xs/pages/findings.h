/* SPDX-License-Identifier: MIT */
/* findings.h - the section of the index that says what to look at first. Private to index. */
#ifndef NYTP_PAGES_FINDINGS_H
#define NYTP_PAGES_FINDINGS_H

#include "model/loading.h"
#include "pages/html.h"

/* Appends a sentence for each finding; nothing if there is none. */
void nytp_pages_findings_put(nytp_buf *out, const nytp_html *h, const nytp_loading *l);

#endif
