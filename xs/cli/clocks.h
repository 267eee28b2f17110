/* SPDX-License-Identifier: MIT */
/* clocks.h - measures the clocks of this machine. */
#ifndef NYTP_CLI_CLOCKS_H
#define NYTP_CLI_CLOCKS_H

#include "capture/clock.h"

typedef struct nytp_clocks_cost {
    double resolution, step, reading; /* announced, seen between two readings, and what one reading takes: ns */
} nytp_clocks_cost;

/* 0 if the clock does not work here. */
int nytp_clocks_measure(const nytp_clock_row *row, nytp_clocks_cost *cost);

#endif
