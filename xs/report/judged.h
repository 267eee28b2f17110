/* SPDX-License-Identifier: MIT */
/* judged.h - which differences between two sides are changes. */
#ifndef NYTP_REPORT_JUDGED_H
#define NYTP_REPORT_JUDGED_H

#include "base/buf.h"
#include "report/compared.h"

/* A difference of time counts if it is both as large as this share of the old time and as this time. */
typedef struct nytp_judged_limits {
    double percent;
    int64_t ns;
} nytp_judged_limits;

/* The input of a report on what differs. */
typedef struct nytp_compared_request {
    const nytp_compared *compared; /* judged */
    const nytp_compared *lines;    /* likewise */
    nytp_judged_limits limits;     /* by which it was judged */
    const char *const *names;      /* of the profiles */
    struct nytp_overlaid *paths;   /* overlaid.h; NULL: not asked for */
    uint32_t most;                 /* rows of a table; 0: as many as suit the report */
    const char *version;           /* the distribution's */
} nytp_compared_request;

/* Sets has_calls and has_time of all rows. A count that is the same in all profiles of each side has changed if it
 * differs; one that varies, if the ranges of the two sides are apart by twice the larger of them. A time has changed if
 * its difference is within no limit, and outside the noise where that is known (noise.h). Of a row that is on one side
 * only, the time has to be within no limit in each profile of this side. Lines have no changes of time where noise is
 * not known, as many vary. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_judged_make(nytp_compared *c, const nytp_judged_limits *limits);

/* How much exclusive time varies from profile to profile: half the range of the side where that is the larger share of
 * the mean, as that share. */
double nytp_judged_band(const nytp_compared *c, const nytp_compared_row *row);

/* 1 if the time has grown or shrunk by that much. */
int nytp_judged_exceeds(const nytp_judged_limits *limits, double old, double new);

/* The rows whose calls or exclusive time have changed, n of them, as nytp_compared_sorted. The caller frees the array;
 * NULL if memory is short. */
const nytp_compared_row **nytp_judged_rows(const nytp_compared *c, enum nytp_compared_value value, uint32_t *n);

/* Of the times of lines. */
#define NYTP_JUDGED_NO_LINES "Not known: it takes three captures a side to tell noise from changes of a line."

/* Sentences on what is known of noise, and which times are listed: text. */
void nytp_judged_tell(nytp_buf *out, const nytp_compared_request *r);

#endif
