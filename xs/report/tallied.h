/* SPDX-License-Identifier: MIT */
/* tallied.h - tables of text for each schema of a tally. */
#ifndef NYTP_REPORT_TALLIED_H
#define NYTP_REPORT_TALLIED_H

#include "report/tally.h"

enum nytp_tallied_sort { NYTP_TALLIED_FIRST, NYTP_TALLIED_TOTAL, NYTP_TALLIED_MEAN, NYTP_TALLIED_MAX,
                         NYTP_TALLIED_COUNT };

typedef struct nytp_tallied {
    enum nytp_tallied_sort sort;
    int32_t is_once;   /* 1: percentages of CPU time are those of the build's, in which each second counts once */
    int32_t is_linear; /* 1: so are histograms; else logarithmic */
    uint32_t columns;  /* of histograms; 0: no distributions */
} nytp_tallied;

/* Appends the tables of a schema; nothing if no process is in it. */
void nytp_tallied_put(nytp_buf *out, const nytp_tally *t, uint32_t schema, nytp_str name, const nytp_tallied *how);

/* Appends a number as tables have it, 8 columns: 1.82E+04, 2210.419, 1.00e-03, 0. */
void nytp_tallied_number(nytp_buf *out, double value);

#endif
