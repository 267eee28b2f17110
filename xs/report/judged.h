/* SPDX-License-Identifier: MIT */
/* judged.h - which differences between two sides are changes. */
#ifndef NYTP_REPORT_JUDGED_H
#define NYTP_REPORT_JUDGED_H

#include "report/compared.h"

/* A difference of time counts if it is both as large as this share of the old time and as this time. */
typedef struct nytp_judged_limits {
    double percent;
    int64_t ns;
} nytp_judged_limits;

/* Sets has_calls and has_time of all rows. A count has changed if it differs. */
void nytp_judged_make(nytp_compared *c, const nytp_judged_limits *limits);

/* 1 if the time has grown or shrunk by that much. */
int nytp_judged_exceeds(const nytp_judged_limits *limits, double old, double new);

#endif
