/* SPDX-License-Identifier: MIT */
/* choices.h - the options of `nytprof run` and `nytprof attach` that choose reports: --NAME[=PATH] for each report of
 * one profile. */
#ifndef NYTP_CLI_CHOICES_H
#define NYTP_CLI_CHOICES_H

#include "cli/cli.h"

/* Fills rows with these options; returns their number. */
uint32_t nytp_choices_args(nytp_arg *rows);

/* A report that is chosen. Zero: ahead of the first. */
typedef struct nytp_choice {
    uint32_t behind;             /* number of the next report in nytp_reports */
    uint32_t row;                /* of the next option */
    const nytp_report *report;
    const nytp_arg_value *value; /* its text is the path; NULL: there is no default for this report */
} nytp_choice;

/* Goes on to the next report that is chosen by values, a row for each of nytp_choices_args; 0 if there is none. */
int nytp_choices_next(nytp_choice *c, const nytp_arg_value *values);

#endif
