/* SPDX-License-Identifier: MIT */
/* cells.c - cells of a table on a terminal. */
#include "terminal/cells.h"

#include "model/order.h"
#include "report/escape.h"
#include "report/text.h"

static int begins_character(char c) { return ((unsigned char)c & 0xC0) != 0x80; }

uint32_t nytp_cells_width(nytp_str text) {
    uint32_t n = 0;
    for (size_t i = 0; i < text.n; i++) n += (uint32_t)begins_character(text.p[i]);
    return n;
}

void nytp_cells_blanks(nytp_buf *out, uint32_t n) {
    while (n--) nytp_buf_byte(out, ' ');
}

void nytp_cells_right(nytp_buf *out, nytp_str text, uint32_t width) {
    uint32_t taken = nytp_cells_width(text);
    nytp_cells_blanks(out, taken < width ? width - taken : 0);
    nytp_text_str(out, text);
}

void nytp_cells_cut(nytp_buf *out, nytp_str text, uint32_t width) {
    if (nytp_cells_width(text) > width) {
        uint32_t kept = 0;
        size_t i = 0;
        for (; i < text.n && (kept += (uint32_t)begins_character(text.p[i])) < width; i++) continue;
        nytp_buf_bytes(out, text.p, i);
        nytp_text_put(out, "\xE2\x80\xA6");
    } else nytp_text_str(out, text);
}

#define TAB 8

void nytp_cells_source(nytp_buf *out, nytp_str line) {
    nytp_buf expanded = {0};
    uint32_t column = 0;
    while (line.n && (line.p[line.n - 1] == '\n' || line.p[line.n - 1] == '\r')) line.n--;
    for (size_t i = 0; i < line.n; i++) {
        uint32_t blanks = line.p[i] == '\t' ? TAB - column % TAB : 0;
        nytp_cells_blanks(&expanded, blanks);
        if (!blanks) nytp_buf_byte(&expanded, (unsigned char)line.p[i]);
        column += blanks ? blanks : (uint32_t)begins_character(line.p[i]);
    }
    nytp_escape_text(out, nytp_page_bytes(&expanded));
    nytp_buf_done(&expanded, out);
}

/* The sequences for colours: yellow, red, bold red. */
static const char *const colors[NYTP_ORDER_HOTTEST + 1] = {
    "", "", "", "\033[33m", "\033[33m", "\033[31m", "\033[1;31m", "\033[1;31m"};

void nytp_cells_hot(nytp_buf *out, int heat) { nytp_text_put(out, colors[heat]); }

void nytp_cells_plain(nytp_buf *out, int heat) {
    if (*colors[heat]) nytp_cells_end(out);
}

void nytp_cells_bold(nytp_buf *out) { nytp_text_put(out, "\033[1m"); }

void nytp_cells_grey(nytp_buf *out) { nytp_text_put(out, "\033[2m"); }

void nytp_cells_end(nytp_buf *out) { nytp_text_put(out, "\033[0m"); }
