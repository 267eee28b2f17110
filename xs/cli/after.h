/* SPDX-License-Identifier: MIT */
/* after.h - the reports that `nytprof run` and `nytprof attach` make at the end, when the captures are whole. */
#ifndef NYTP_CLI_AFTER_H
#define NYTP_CLI_AFTER_H

#include "cli/cli.h"

/* Refuses, for that verb, reports that would overwrite each other or the capture of that name. Returns an exit code. */
int nytp_after_check(const char *verb, const nytp_arg_value *values, const char *capture);

/* Makes the reports that these values choose (choices.h), each of all n captures. Text for people is printed on
 * standard error, other text goes into files named after their report, unless the option has a path; messages go to
 * standard error, since standard output is the program's. Returns the first exit code that is not 0. */
int nytp_after_report(const nytp_arg_value *values, char *const *captures, size_t n);

#endif
