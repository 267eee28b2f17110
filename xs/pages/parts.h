/* SPDX-License-Identifier: MIT */
/* parts.h - the small pieces that pages are made of: figures, names, links, cells, and a page as a whole. */
#ifndef NYTP_PAGES_PARTS_H
#define NYTP_PAGES_PARTS_H

#include "pages/html.h"

/* ---- figures ---- */

void nytp_parts_time(nytp_buf *out, const nytp_html *h, int64_t ticks);
void nytp_parts_share(nytp_buf *out, const nytp_html *h, int64_t ticks); /* of the run; grey by few samples */
void nytp_parts_average(nytp_buf *out, const nytp_html *h, int64_t ticks, int64_t count);
void nytp_parts_count(nytp_buf *out, const nytp_html *h, int64_t n);      /* of a line: with ~ if it is an estimate */
void nytp_parts_statements(nytp_buf *out, const nytp_html *h, int64_t n); /* "2,000 statements", or "~2,000" */
void nytp_parts_plural(nytp_buf *out, int64_t n, const char *one, const char *many); /* "1 call", "2,000 calls" */

/* ---- names and links; an href opens a link, which the caller closes ---- */

void nytp_parts_sub_text(nytp_buf *out, const nytp_profile *p, uint32_t sub); /* text: name, variant, alias */
void nytp_parts_sub_name(nytp_buf *out, const nytp_html *h, uint32_t sub);    /* the same, escaped */
void nytp_parts_root_name(nytp_buf *out, const nytp_html *h, uint32_t file);  /* of the main program that ran a file */
void nytp_parts_sub_hints(nytp_buf *out, const nytp_html *h, uint32_t sub);   /* xsub, opcode, recursion */
void nytp_parts_sub_id(nytp_buf *out, const nytp_html *h, uint32_t sub);      /* the fragment of a sub's link */
int nytp_parts_sub_target(nytp_buf *out, const nytp_html *h, uint32_t sub);   /* page and fragment; 0: it has none */
int nytp_parts_sub_href(nytp_buf *out, const nytp_html *h, uint32_t sub);     /* 0: the sub has no target */
void nytp_parts_sub_link(nytp_buf *out, const nytp_html *h, uint32_t sub);    /* the name, linked to the target */
void nytp_parts_file_link(nytp_buf *out, const nytp_html *h, uint32_t file);  /* the name, linked to the page */
int nytp_parts_line_href(nytp_buf *out, const nytp_html *h, uint32_t file, uint32_t line); /* 0: the file has no page */
void nytp_parts_line_name(nytp_buf *out, const nytp_html *h, uint32_t file, uint32_t line); /* "Node.pm:17" */
void nytp_parts_editor_link(nytp_buf *out, const nytp_html *h, nytp_str path, uint32_t line); /* an href; only with
                                                                                                  the option */

/* ---- tables that can be sorted ---- */

/* Sorted by its text (html/report.js). */
void nytp_parts_number_cell(nytp_buf *out, int64_t n);
void nytp_parts_calls_cell(nytp_buf *out, const nytp_html *h, int64_t n); /* empty if calls were not counted */
void nytp_parts_heat_cell(nytp_buf *out, const nytp_html *h, int64_t ticks); /* with its share of the run as a bar */
void nytp_parts_sub_row(nytp_buf *out, const nytp_html *h, uint32_t sub);    /* of a table of subs */

/* Fills a template of html/, holes for words included, and hands it to the sink. Returns an nytp_code. */
int nytp_parts_page(nytp_html *h, nytp_str page, const char *template, const nytp_hole *holes, size_t n);

#endif
