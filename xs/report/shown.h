/* SPDX-License-Identifier: MIT */
/* shown.h - which metrics a report shows beside time, in which order, and which of them ranks. */
#ifndef NYTP_REPORT_SHOWN_H
#define NYTP_REPORT_SHOWN_H

#include "model/metrics.h"

typedef struct nytp_shown {
    uint32_t n;
    uint32_t at[NYTP_FORMAT_METRICS]; /* indexes of the profile's metrics */
    int32_t ranks; /* 1: the first of them ranks; 0: time does */
} nytp_shown; /* all zero: time alone */

/* What names, separated by commas, say: "time" and metrics of the profile, the one that ranks first. NULL: all metrics,
 * and time ranks. An nytp_code, NYTP_USAGE of a name that is none, with the names that there are in e. */
int nytp_shown_choose(nytp_shown *s, const nytp_profile *p, const char *names, nytp_error *e);

/* Of those shown the ones that have values of this kind (an enum nytp_metric_of), in their order; ranks is 1 if the
 * first of these is the one that ranks. */
nytp_shown nytp_shown_of(const nytp_shown *s, const nytp_profile *p, enum nytp_metric_of of);

/* A value as people read it. */
void nytp_shown_value(nytp_buf *out, const nytp_metric *m, int64_t value);

/* The metric's name for the head of a column. Unescaped: it is one word. */
void nytp_shown_heading(nytp_buf *out, const nytp_metric *m);

#endif
