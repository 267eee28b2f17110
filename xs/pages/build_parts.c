/* SPDX-License-Identifier: MIT */
/* build_parts.c - small pieces of the page of a build. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ticks.h"
#include "pages/build_page.h"
#include "report/command.h"
#include "report/escape.h"
#include "report/text.h"
#include "report/units.h"

#define LONG 400 /* bytes of a text in a table */

/* ---- texts ---- */

void nytp_build_parts_text(nytp_buf *out, nytp_str text) {
    size_t n = text.n;
    if (n > LONG)
        for (n = LONG; n > LONG - 4 && ((unsigned char)text.p[n] & 0xC0) == 0x80;) n--; /* no part of a character */
    nytp_escape_html(out, (nytp_str){text.p, n});
    if (n < text.n) nytp_text_put(out, "&hellip;");
}

void nytp_build_parts_command(nytp_buf *out, const nytp_build *b, uint32_t command) {
    nytp_buf text = {0};
    nytp_command_text(&text, b->texts[command]);
    nytp_build_parts_text(out, (nytp_str){(const char *)text.p, text.n});
    nytp_buf_done(&text, out);
}

/* ---- cells ---- */

static void begin_cell(nytp_buf *out, uint64_t value) { nytp_text_around(out, "<td data-v=", value, ">"); }

void nytp_build_parts_time(nytp_buf *out, uint64_t ns) {
    begin_cell(out, ns);
    nytp_units_time(out, 1e-9 * (double)ns);
}

void nytp_build_parts_bytes(nytp_buf *out, uint64_t kb) {
    begin_cell(out, kb);
    if (kb) nytp_units_bytes(out, kb < INT64_MAX / 1024 ? (int64_t)(1024 * kb) : INT64_MAX);
}

void nytp_build_parts_count(nytp_buf *out, uint64_t n) {
    nytp_text_put(out, "<td>");
    nytp_units_count(out, n < INT64_MAX ? (int64_t)n : INT64_MAX);
}

void nytp_build_parts_share(nytp_buf *out, double part, double whole) {
    double share = whole > 0 ? 100 * part / whole : 0;
    nytp_text_format(out, "<td data-v=%.6f>", share);
    if (whole > 0) nytp_text_format(out, share < 9.995 ? "%.2f %%" : "%.1f %%", share);
}

uint64_t nytp_build_parts_real(const nytp_build_process *p) {
    return p->ended > p->began ? (uint64_t)nytp_ticks_minus(p->ended, p->began) : 0;
}

/* ---- links ---- */

void nytp_build_parts_link(nytp_buf *out, const nytp_captured *capture) {
    char page[4096];
    int n = snprintf(page, sizeof page, "%s.html", capture->path);
    if (n < 0 || (size_t)n >= sizeof page || access(page, R_OK)) return;
    char *path = realpath(page, NULL);
    if (!path) return;
    nytp_text_put(out, "file://");
    nytp_escape_url(out, nytp_str_c(path));
    free(path);
}

/* ---- sections ---- */

static void put_heads(nytp_buf *out, const char *columns) {
    while (*columns) {
        size_t n = strcspn(columns, "|");
        int is_last = !columns[n], is_sorted = *columns == '*', is_text = *columns == '<';
        nytp_text_put(out, "<th scope=col");
        nytp_text_put(out, is_last ? " class=name" : is_text ? " class=text" : "");
        nytp_text_put(out, is_sorted ? " aria-sort=descending>" : ">");
        nytp_buf_bytes(out, columns + is_sorted + is_text, n - (size_t)is_sorted - (size_t)is_text);
        columns += n + !is_last;
    }
}

void nytp_build_parts_begin(nytp_buf *out, const nytp_build_section *s, uint64_t n) {
    nytp_text_format(out, "<section aria-labelledby=%s><h2 id=%s>", s->id, s->id);
    nytp_text_put(out, s->heading);
    if (n) {
        nytp_text_put(out, " (");
        nytp_units_count(out, (int64_t)n);
        nytp_text_put(out, ")");
    }
    nytp_text_put(out, "</h2>\n<p class=muted>");
    nytp_text_put(out, s->meaning);
    nytp_text_put(out, "</p>\n<div class=scroll tabindex=0 role=region aria-label=\"Table: ");
    nytp_text_put(out, s->heading);
    nytp_text_format(out, "\">\n<table class=sort data-most=20 data-filter=\"%s\">\n<thead><tr>", s->filter);
    put_heads(out, s->columns);
    nytp_text_put(out, "</tr></thead>\n<tbody>\n");
}

void nytp_build_parts_end(nytp_buf *out, uint64_t shown, uint64_t n) {
    nytp_text_put(out, "</tbody>\n</table>\n</div>\n");
    if (shown < n) {
        nytp_text_put(out, "<p class=\"muted rest\">These are the first ");
        nytp_text_number(out, shown);
        nytp_text_put(out, " of ");
        nytp_units_count(out, (int64_t)n);
        nytp_text_put(out, ".</p>\n");
    }
    nytp_text_put(out, "</section>\n");
}
