/* SPDX-License-Identifier: MIT */
/* pages.h - the pages of a report: each function writes one page, one kind of pages, or files beside them.
 *
 * All write to h->sink and return an nytp_code. */
#ifndef NYTP_PAGES_PAGES_H
#define NYTP_PAGES_PAGES_H

#include "pages/html.h"

int nytp_index_write(nytp_html *h);
int nytp_pages_source_write(nytp_html *h, uint32_t file);
int nytp_pages_packages_write(nytp_html *h);
int nytp_redirects_write(nytp_html *h);       /* redirects from the page names of Devel::NYTProf 6 */
int nytp_pages_data_write(nytp_html *h);  /* data.js, which DATA describes */
int nytp_pages_flame_write(nytp_html *h); /* the flame graph and its data */
int nytp_graphs_write(nytp_html *h);      /* call graphs for graphviz */

/* The report as one page; put_rest writes the other pages, which are embedded in it. */
int nytp_single_write(nytp_html *h, int (*put_rest)(nytp_html *h));

#endif
