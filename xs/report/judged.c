/* SPDX-License-Identifier: MIT */
/* judged.c - which differences between two sides are changes. */
#include "report/judged.h"

#include "report/noise.h"
#include "report/text.h"
#include "report/units.h"

int nytp_judged_exceeds(const nytp_judged_limits *limits, double old, double new) {
    double by = new < old ? old - new : new - old, base = old > 0 ? old : 0;
    return by > 0 && by >= (double)limits->ns && by >= base / 100 * limits->percent;
}

typedef struct range {
    int64_t least, most;
} range;

/* 0 0 if the sub is not on that side. */
static range range_of(const nytp_compared *c, const nytp_compared_row *row, int side, enum nytp_compared_value value) {
    const int64_t *values = side == NYTP_COMPARED_OLD ? row->old : row->new;
    uint32_t first = side == NYTP_COMPARED_OLD ? 0 : c->n[NYTP_COMPARED_OLD];
    range r = {0, 0};
    for (uint32_t i = first; values && i < first + c->n[side]; i++) {
        int64_t v = values[(size_t)i * NYTP_COMPARED_VALUES + value];
        if (i == first || v < r.least) r.least = v;
        if (i == first || v > r.most) r.most = v;
    }
    return r;
}

static double width_of(range r) { return (double)r.most - (double)r.least; }

double nytp_judged_band(const nytp_compared *c, const nytp_compared_row *row) {
    double band = 0;
    for (int side = 0; side < 2; side++) {
        double half = width_of(range_of(c, row, side, NYTP_COMPARED_OWN)) / 2;
        double time = nytp_compared_mean(c, row, side, NYTP_COMPARED_OWN);
        if (time > 0 && half / time > band) band = half / time;
    }
    return band;
}

static int have_calls_changed(const nytp_compared *c, const nytp_compared_row *row) {
    range old = range_of(c, row, NYTP_COMPARED_OLD, NYTP_COMPARED_CALLS);
    range new = range_of(c, row, NYTP_COMPARED_NEW, NYTP_COMPARED_CALLS);
    double gap = old.most < new.least ? (double)new.least - (double)old.most : (double)old.least - (double)new.most;
    double width = width_of(old) > width_of(new) ? width_of(old) : width_of(new);
    return gap > 0 && gap >= 2 * width;
}

static int has_time_on_one_side(const nytp_compared *c, const nytp_compared_row *row, double least) {
    range old = range_of(c, row, NYTP_COMPARED_OLD, NYTP_COMPARED_OWN);
    range new = range_of(c, row, NYTP_COMPARED_NEW, NYTP_COMPARED_OWN);
    return row->old && row->new ? 0 : (double)(row->old ? old.least : new.least) >= least;
}

enum nytp_code nytp_judged_make(nytp_compared *c, const nytp_judged_limits *limits) {
    int is_known = nytp_noise_is_known(c->n);
    if (is_known && nytp_noise_judge(c, (double)limits->ns)) return NYTP_NOMEM;
    for (uint32_t i = 0; i < c->rows_n; i++) {
        nytp_compared_row *row = &c->rows[i];
        double old = nytp_compared_mean(c, row, NYTP_COMPARED_OLD, NYTP_COMPARED_OWN);
        double new = nytp_compared_mean(c, row, NYTP_COMPARED_NEW, NYTP_COMPARED_OWN);
        int is_noise = is_known ? !row->has_time && !has_time_on_one_side(c, row, (double)limits->ns) : c->of_lines;
        row->has_time = !is_noise && nytp_judged_exceeds(limits, old, new);
        row->has_calls = !c->is_uncounted && have_calls_changed(c, row);
    }
    return NYTP_OK;
}

const nytp_compared_row **nytp_judged_rows(const nytp_compared *c, enum nytp_compared_value value, uint32_t *n) {
    const nytp_compared_row **rows = nytp_compared_sorted(c, value);
    *n = 0;
    for (uint32_t i = 0; rows && i < c->rows_n; i++)
        if (value == NYTP_COMPARED_CALLS ? rows[i]->has_calls : rows[i]->has_time) rows[(*n)++] = rows[i];
    return rows;
}

void nytp_judged_tell(nytp_buf *out, const nytp_compared_request *r) {
    const uint32_t *n = r->compared->n;
    if (nytp_noise_is_known(n))
        nytp_text_format(out, "Means of %u and %u captures. Listed is what differs more than these from each other, "
                         "by ", (unsigned)n[0], (unsigned)n[1]);
    else
        nytp_text_format(out, "%s not tell noise from changes: none is listed below ",
                         n[0] == 1 && n[1] == 1 ? "One capture a side does" : "Less than three captures a side do");
    if (r->limits.percent > 0) nytp_text_format(out, "%g %% or ", r->limits.percent);
    nytp_units_time(out, 1e-9 * (double)r->limits.ns);
    nytp_text_put(out, nytp_noise_is_known(n) ? " or more." : ".");
}
