/* SPDX-License-Identifier: MIT */
/* print.c - what captures say, on standard output, and messages. */
#include "cli/print.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "report/escape.h"

static void print_byte(unsigned char c) {
    if (c >= ' ' && c <= '~' && c != '\\') putchar(c);
    else printf("\\x%02X", (unsigned)c);
}

void nytp_print_text(nytp_str text) {
    for (size_t i = 0; i < text.n; i++) print_byte((unsigned char)text.p[i]);
}

/* Piece by piece between the quotes that are inside. */
void nytp_print_quote(nytp_buf *out, nytp_str text) {
    nytp_buf_byte(out, '"');
    for (const char *quote; (quote = text.n ? memchr(text.p, '"', text.n) : NULL);) {
        size_t n = (size_t)(quote - text.p);
        nytp_buf_escaped(out, (nytp_str){text.p, n}, SIZE_MAX);
        nytp_buf_bytes(out, "\\\"", 2);
        text = (nytp_str){quote + 1, text.n - n - 1};
    }
    nytp_buf_escaped(out, text, SIZE_MAX);
    nytp_buf_byte(out, '"');
}

static void put_line(FILE *to, char *text, const char *behind) {
    nytp_buf shown = {0};
    nytp_escape_text(&shown, nytp_str_c(text));
    if (shown.failed) nytp_utf8_mask(text);
    if (shown.failed) fprintf(to, "%s%s\n", text, behind);
    else fprintf(to, "%.*s%s\n", (int)shown.n, shown.n ? (const char *)shown.p : "", behind);
    nytp_buf_free(&shown);
}

/* Texts that do not fit into the common buffer are rare, and cut if memory is short. */
static void put_format(FILE *to, const char *format, va_list values, const char *behind) {
    char common[NYTP_ERROR_TEXT + 64];
    va_list again;
    va_copy(again, values);
    int n = vsnprintf(common, sizeof common, format, values);
    char *large = n >= (int)sizeof common ? malloc((size_t)n + 1) : NULL;
    if (large) vsnprintf(large, (size_t)n + 1, format, again);
    va_end(again);
    put_line(to, large ? large : common, behind);
    free(large);
}

void nytp_print_line(FILE *to, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put_format(to, format, values, "");
    va_end(values);
}

void nytp_print_message_with(const char *format, va_list values, const char *behind) {
    fputs("nytprof: ", stderr);
    put_format(stderr, format, values, behind);
}

void nytp_print_message(const char *format, ...) {
    va_list values;
    va_start(values, format);
    nytp_print_message_with(format, values, "");
    va_end(values);
}

void nytp_print_titled(const char *title, nytp_str text) {
    printf("%-12s ", title);
    nytp_print_text(text);
    putchar('\n');
}

void nytp_print_times(double begin, double end) {
    char date[40] = "unknown";
    time_t when = begin > 0 && begin < 1e11 ? (time_t)begin : 0; /* a damaged file may say anything */
    struct tm tm;

    if (when && localtime_r(&when, &tm)) strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &tm);
    printf("%-12s %s\n%-12s %.6g s\n", "started", date, "duration", end - begin);
}

void nytp_print_damaged(const char *path, unsigned long long places, unsigned long long bytes) {
    nytp_print_message("%s is damaged: %llu bytes in %llu %s could not be read", path, bytes, places,
                       places == 1 ? "place" : "places");
}
