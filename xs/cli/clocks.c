/* SPDX-License-Identifier: MIT */
/* clocks.c - measures the clocks of this machine. */
#include "cli/clocks.h"

#define READINGS 20000

/* Nanoseconds that one reading takes. */
static double measure_reading(nytp_clock *c) {
    uint64_t begin = nytp_clock_monotonic_ns();
    for (int i = 0; i < READINGS; i++) nytp_clock_now(c);
    return (double)(nytp_clock_monotonic_ns() - begin) / READINGS;
}

/* The smallest step seen between two readings that differ, in ticks; the announced resolution if no two do. */
static int64_t measure_step(nytp_clock *c) {
    int64_t last = nytp_clock_now(c), smallest = 0;
    for (int i = 0; i < READINGS; i++) {
        int64_t now = nytp_clock_now(c), step = now - last;
        if (step > 0 && (!smallest || step < smallest)) smallest = step;
        last = now;
    }
    return smallest ? smallest : (int64_t)c->resolution;
}

int nytp_clocks_measure(const nytp_clock_row *row, nytp_clocks_cost *cost) {
    nytp_error e = {0};
    nytp_clock c;
    int fell_back;
    if (!nytp_clock_works(row->id) || nytp_clock_open(&c, nytp_str_c(row->name), &fell_back, &e)) return 0;
    double ns = 1e9 / (double)c.ticks_per_second;
    nytp_clock_hold(&c);
    cost->resolution = (double)c.resolution * ns;
    cost->step = (double)measure_step(&c) * ns;
    cost->reading = measure_reading(&c);
    nytp_clock_release(&c);
    return 1;
}
