/* SPDX-License-Identifier: MIT */
/* cells.h - cells of a table on a terminal: aligned by characters, in the colours of heat. */
#ifndef NYTP_TERMINAL_CELLS_H
#define NYTP_TERMINAL_CELLS_H

#include "base/buf.h"
#include "report/page.h"

/* Characters of a text in UTF-8: those of two columns, as in Chinese, count as one. */
uint32_t nytp_cells_width(nytp_str text);

/* Appends the text behind so many blanks that it ends `width` characters later; a longer text has none. */
void nytp_cells_right(nytp_buf *out, nytp_str text, uint32_t width);

/* The text's first characters, `width` of them; of a longer text the last of these is an ellipsis. */
void nytp_cells_cut(nytp_buf *out, nytp_str text, uint32_t width);

/* A line of source, escaped: its tabs as blanks, since the columns before it would change their width, and without its
 * end. */
void nytp_cells_source(nytp_buf *out, nytp_str line);

void nytp_cells_blanks(nytp_buf *out, uint32_t n);

/* Begins and ends the colour of a heat (model/order.h, 0 to 5); the coldest has none. */
void nytp_cells_hot(nytp_buf *out, int heat);
void nytp_cells_plain(nytp_buf *out, int heat);

/* Begins and ends what stands out: headings. */
void nytp_cells_bold(nytp_buf *out);
void nytp_cells_grey(nytp_buf *out); /* the contrary: what says little */
void nytp_cells_end(nytp_buf *out);

#endif
