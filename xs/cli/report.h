/* SPDX-License-Identifier: MIT */
/* report.h - the verb of a report: captures in, pages out. */
#ifndef NYTP_CLI_REPORT_H
#define NYTP_CLI_REPORT_H

#include "cli/cli.h"

/* Fills the first rows with the options common to reports of that kind. Returns their number. */
uint32_t nytp_cli_report_args(const nytp_report *report, nytp_arg *rows);

/* Loads the captures (the arguments, else -f's, else the default), prints progress if the report is a directory, and
 * writes the report. Returns an exit code. */
int nytp_cli_report(const nytp_call *call);

#endif
