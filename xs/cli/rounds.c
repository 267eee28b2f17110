/* SPDX-License-Identifier: MIT */
/* rounds.c - quartiles of rounds. A wait is never subtracted from a time of the profile, since the profile leaves out
 * what falls into the profiler's own work. */
#include "cli/rounds.h"

#include <stdlib.h>

#define CALM ((NYTP_ROUNDS + 1) / 2)
#define MOST_WAIT 0.1 /* of the CPU time */

typedef struct spell {
    double ns, waited;
} spell;

static int by_time(const void *a, const void *b) {
    double x = ((const spell *)a)->ns, y = ((const spell *)b)->ns;
    return (x > y) - (x < y);
}

static int by_wait(const void *a, const void *b) {
    double x = ((const spell *)a)->waited, y = ((const spell *)b)->waited;
    return (x > y) - (x < y);
}

static double quartile(spell *of, int n) {
    qsort(of, (size_t)n, sizeof *of, by_time);
    return of[n / 4].ns;
}

double nytp_rounds_quartile(const double ns[NYTP_ROUNDS]) {
    spell all[NYTP_ROUNDS];
    for (int i = 0; i < NYTP_ROUNDS; i++) all[i] = (spell){ns[i], 0};
    return quartile(all, NYTP_ROUNDS);
}

double nytp_rounds_calm(const double ns[NYTP_ROUNDS], const double waited[NYTP_ROUNDS]) {
    spell all[NYTP_ROUNDS];
    int n = 0;
    for (int i = 0; i < NYTP_ROUNDS; i++) all[i] = (spell){ns[i], waited[i]};
    qsort(all, NYTP_ROUNDS, sizeof *all, by_wait);
    while (n < CALM && all[n].waited <= MOST_WAIT) n++;
    double found = n ? quartile(all, n) : NYTP_ROUNDS_BUSY;
    return n && found < 0 ? 0 : found;
}
