/* SPDX-License-Identifier: MIT */
/* shown.h - the metrics that a report shows beside time, their order, and whether one of them ranks. */
#ifndef NYTP_REPORT_SHOWN_H
#define NYTP_REPORT_SHOWN_H

#include "model/metrics.h"

typedef struct nytp_shown {
    uint32_t n;
    uint32_t at[NYTP_FORMAT_METRICS]; /* indexes of the profile's metrics */
    int32_t ranks; /* 1: the first of them ranks; 0: time does */
} nytp_shown; /* all zero: time alone */

/* 1 if names are separated by commas and none of them is empty. */
int nytp_shown_is_list(const char *names);

/* Parses names separated by commas: "time" and metrics of the profile, the ranking one first. NULL: all metrics, and
 * time ranks. Returns an nytp_code: NYTP_USAGE for an unknown name, with the known names in e. */
int nytp_shown_choose(nytp_shown *s, const nytp_profile *p, const char *names, nytp_error *e);

/* The metrics shown that have values of this kind (an enum nytp_metric_of), in their order; ranks is 1 if the ranking
 * one is among them. */
nytp_shown nytp_shown_of(const nytp_shown *s, const nytp_profile *p, enum nytp_metric_of of);

/* Appends a value in a form for people, and returns the unit to stand behind it; empty: there is none to add. */
nytp_str nytp_shown_amount(nytp_buf *out, const nytp_metric *m, int64_t value);

/* Appends a time's share of the profiled time: "12.3 %", and with its standard deviation in points "12.3 % ±2.4" if
 * times were sampled. Nothing without such a time. */
void nytp_shown_share(nytp_buf *out, const nytp_profile *p, int64_t ticks);
void nytp_shown_line_share(nytp_buf *out, const nytp_profile *p, int64_t ticks, float variance); /* of a line */
void nytp_shown_points(nytp_buf *out, double points); /* "±2.4" */

/* Appends a value and its unit as HTML. */
void nytp_shown_value(nytp_buf *out, const nytp_metric *m, int64_t value);

/* The metric's name for the head of a column. Unescaped: it is one word. */
void nytp_shown_heading(nytp_buf *out, const nytp_metric *m);

#endif
