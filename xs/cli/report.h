/* SPDX-License-Identifier: MIT */
/* report.h - the verb of a report: captures in, pages out. */
#ifndef NYTP_CLI_REPORT_H
#define NYTP_CLI_REPORT_H

#include "cli/cli.h"

/* Puts the options that all reports of that kind have into the first rows. Returns how many they are. */
uint32_t nytp_cli_report_args(const nytp_report *report, nytp_arg *rows);

/* Loads the captures (those given, else -f's, else the default), says so where the report is a directory, and writes
 * the report. Returns an exit code. */
int nytp_cli_report(const nytp_call *call);

#endif
