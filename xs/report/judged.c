/* SPDX-License-Identifier: MIT */
/* judged.c - which differences between two sides are changes. */
#include "report/judged.h"

int nytp_judged_exceeds(const nytp_judged_limits *limits, double old, double new) {
    double by = new < old ? old - new : new - old, base = old > 0 ? old : 0;
    return by > 0 && by >= (double)limits->ns && by >= base / 100 * limits->percent;
}

static double mean(const nytp_compared *c, const nytp_compared_row *row, int side, enum nytp_compared_value value) {
    return nytp_compared_mean(c, row, side, value);
}

void nytp_judged_make(nytp_compared *c, const nytp_judged_limits *limits) {
    for (uint32_t i = 0; i < c->rows_n; i++) {
        nytp_compared_row *row = &c->rows[i];
        double old = mean(c, row, NYTP_COMPARED_OLD, NYTP_COMPARED_OWN);
        double new = mean(c, row, NYTP_COMPARED_NEW, NYTP_COMPARED_OWN);
        row->has_time = nytp_judged_exceeds(limits, old, new);
        row->has_calls = !c->is_uncounted && mean(c, row, NYTP_COMPARED_OLD, NYTP_COMPARED_CALLS) !=
                                                 mean(c, row, NYTP_COMPARED_NEW, NYTP_COMPARED_CALLS);
    }
}
