/* SPDX-License-Identifier: MIT */
/* page.h - fills the holes of a template. A hole is {{name}}; every one in a template must be given a value. */
#ifndef NYTP_REPORT_PAGE_H
#define NYTP_REPORT_PAGE_H

#include "base/buf.h"

typedef struct nytp_hole {
    const char *name;
    nytp_str value; /* inserted as it is; must be escaped already */
} nytp_hole;

/* A file of html/, as "index.html"; empty if there is none of that name. */
nytp_str nytp_page_asset(const char *name);

/* Appends the filled template. Returns NYTP_OK, or NYTP_USAGE where a hole has no value (the hole is then left empty).
 * Memory that is short leaves out failed. */
int nytp_page_fill(nytp_buf *out, nytp_str template, const nytp_hole *holes, size_t n);

nytp_str nytp_page_bytes(const nytp_buf *b); /* a buffer's bytes, as a value for a hole */

#endif
