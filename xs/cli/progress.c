/* SPDX-License-Identifier: MIT */
/* progress.c - a bar that shows how much of the work is done. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/utf8.h"
#include "capture/clock.h"

#define PATIENCE 1000000000u /* ns without a bar */
#define PAUSE 100000000u     /* ns between two pictures of it */
#define BAR 30

nytp_progress nytp_progress_begin(void) {
    return (nytp_progress){.begun = isatty(STDERR_FILENO) ? nytp_clock_monotonic_ns() : 0};
}

static void draw(const char *name, uint64_t done, uint64_t all) {
    char bar[BAR + 1], what[41];
    double share = done < all ? (double)done / (double)all : 1;
    for (int i = 0; i < BAR; i++) bar[i] = i < share * BAR ? '#' : '.';
    bar[BAR] = '\0';
    snprintf(what, sizeof what, "%s", name);
    nytp_utf8_mask(what);
    if (all) fprintf(stderr, "\r\033[K%3.0f %% %s %s", share * 100, bar, what);
    else fprintf(stderr, "\r\033[K%.1f MB %s", (double)done / 1e6, what);
    fflush(stderr);
}

void nytp_progress_show(nytp_progress *p, const char *what, uint64_t done, uint64_t all) {
    uint64_t now = p->begun ? nytp_clock_monotonic_ns() : 0;
    if (!p->begun || now - p->begun < PATIENCE || now - p->drawn < PAUSE) return;
    draw(what, done, all);
    p->drawn = now;
}

void nytp_progress_end(nytp_progress *p) {
    if (p->drawn) fputs("\r\033[K", stderr);
    p->drawn = 0;
}
