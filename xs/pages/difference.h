/* SPDX-License-Identifier: MIT */
/* difference.h - the HTML pages of what differs between two sides: their cells, which scripts can sort, and the page as
 * a whole. */
#ifndef NYTP_PAGES_DIFFERENCE_H
#define NYTP_PAGES_DIFFERENCE_H

#include "report/sink.h"

#define NYTP_DIFFERENCE_MOST 500 /* rows of a table */

/* ---- cells: times in seconds, or numbers ---- */

void nytp_difference_side(nytp_buf *out, double value, int is_time);
void nytp_difference_change(nytp_buf *out, double change, int is_time); /* with its sign */
void nytp_difference_share(nytp_buf *out, double old, double new); /* of old, in per cent */
void nytp_difference_lone(nytp_buf *out, int side); /* in its place, of what is on one side only: 0 gone, 1 new */

/* Cells of both sides, the change, and its share: a row of the table of the whole, to its end. */
void nytp_difference_figure(nytp_buf *out, const char *title, double old, double new, int is_time);

/* ---- the page ---- */

typedef struct nytp_difference_page {
    const char *title;
    nytp_buf old, new; /* HTML: what is compared */
    nytp_buf figures;  /* rows */
    nytp_buf tables;   /* sections */
} nytp_difference_page; /* all zero but the title is empty */

/* Writes it as diff.html, with the distribution's version, and frees it. Returns an nytp_code. */
int nytp_difference_write(nytp_difference_page *p, const char *version, nytp_sink *sink);

#endif
