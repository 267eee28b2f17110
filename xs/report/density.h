/* SPDX-License-Identifier: MIT */
/* density.h - when the processes of a class ran, in constant memory: parts of the time of equal length, which doubles
 * as time goes on. */
#ifndef NYTP_REPORT_DENSITY_H
#define NYTP_REPORT_DENSITY_H

#define NYTP_DENSITY 256

typedef struct nytp_density {
    float seconds[NYTP_DENSITY]; /* of processes, by part */
    double part;                 /* seconds of the time; 0: nothing yet */
} nytp_density;

/* A process ran; times are seconds since the build began. */
void nytp_density_add(nytp_density *d, double from, double until);

/* Seconds of processes between two times. */
double nytp_density_between(const nytp_density *d, double from, double until);

#endif
