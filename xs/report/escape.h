/* SPDX-License-Identifier: MIT */
/* escape.h - one function per context of text. No other function puts foreign bytes into a page.
 *
 * Names and source come from the profiled program and may contain any byte. Control characters, bidirectional overrides
 * and bytes that are not UTF-8 are shown as visible escapes, so a page is always valid UTF-8 and shows the real order
 * of its text. Memory that is short leaves the buffer failed. */
#ifndef NYTP_REPORT_ESCAPE_H
#define NYTP_REPORT_ESCAPE_H

#include "base/buf.h"

void nytp_escape_html(nytp_buf *out, nytp_str s);   /* element text and quoted attributes */
void nytp_escape_source(nytp_buf *out, nytp_str s); /* preformatted element text: tabs stay, a last newline goes */
void nytp_escape_text(nytp_buf *out, nytp_str s);   /* one line of plain text */
void nytp_escape_url(nytp_buf *out, nytp_str s);    /* a path within an URL: its slashes stay */
void nytp_escape_dot(nytp_buf *out, nytp_str s);    /* within the quotes of a graphviz label */

/* Lines of any format, shown on a terminal: the terminal obeys none of it, except newlines, tabs, form feeds, and with
 * has_colors sequences that set colours. */
void nytp_escape_terminal(nytp_buf *out, nytp_str s, int has_colors);

/* Within the quotes of a JSON string: a reader gets the same characters, control characters too; only bytes that are
 * not UTF-8 become visible. */
void nytp_escape_json(nytp_buf *out, nytp_str s);

#endif
