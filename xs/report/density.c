/* SPDX-License-Identifier: MIT */
/* density.c - when the processes of a class ran. */
#include "report/density.h"

#define FIRST_PART 1e-4 /* seconds */

static void double_parts(nytp_density *d) {
    for (int i = 0; i < NYTP_DENSITY / 2; i++) d->seconds[i] = d->seconds[2 * i] + d->seconds[2 * i + 1];
    for (int i = NYTP_DENSITY / 2; i < NYTP_DENSITY; i++) d->seconds[i] = 0;
    d->part *= 2;
}

/* Seconds of a part that are between two times. */
static double common(double part, int i, double from, double until) {
    double begin = part * i, end = begin + part;
    if (begin < from) begin = from;
    if (end > until) end = until;
    return end > begin ? end - begin : 0;
}

void nytp_density_add(nytp_density *d, double from, double until) {
    if (!d->part) d->part = FIRST_PART;
    if (!(from >= 0)) from = 0;
    if (!(until > from)) return;
    while (until >= d->part * NYTP_DENSITY) double_parts(d);
    for (int i = (int)(from / d->part); i < NYTP_DENSITY && d->part * i < until; i++)
        d->seconds[i] += (float)common(d->part, i, from, until);
}

double nytp_density_between(const nytp_density *d, double from, double until) {
    double sum = 0;
    if (!(d->part > 0) || !(until > from) || from >= d->part * NYTP_DENSITY) return 0;
    for (int i = from > 0 ? (int)(from / d->part) : 0; i < NYTP_DENSITY && d->part * i < until; i++)
        sum += (double)d->seconds[i] * common(d->part, i, from, until) / d->part;
    return sum;
}
