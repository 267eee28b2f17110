/* SPDX-License-Identifier: MIT */
/* print.c - what captures say, on standard output, and what verbs say of captures. */
#include "cli/print.h"

#include <stdio.h>
#include <time.h>

static void print_byte(unsigned char c) {
    if (c >= ' ' && c <= '~' && c != '\\') putchar(c);
    else printf("\\x%02X", (unsigned)c);
}

void nytp_print_text(nytp_str text) {
    for (size_t i = 0; i < text.n; i++) print_byte((unsigned char)text.p[i]);
}

void nytp_print_quoted(nytp_str text) {
    putchar('"');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '"') putchar('\\');
        print_byte((unsigned char)text.p[i]);
    }
    putchar('"');
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
    fprintf(stderr, "nytprof: %s is damaged: %llu bytes in %llu %s could not be read\n", path, bytes, places,
            places == 1 ? "place" : "places");
}
