/* SPDX-License-Identifier: MIT */
/* report_build.h - the verb of a report, on captures of builds. */
#ifndef NYTP_CLI_REPORT_BUILD_H
#define NYTP_CLI_REPORT_BUILD_H

#include "cli/cli.h"

/* 1 if one of the files is the capture of a build. Memory that is short is set in e. */
int nytp_report_build_is(const char *const *paths, uint32_t n, nytp_error *e);

typedef struct nytp_report_build {
    const nytp_report *report;
    const char *const *paths;
    uint32_t paths_n;
    const char *classes;        /* the file of rules; NULL: the usual ones */
    nytp_build_request request; /* all but builds and classes */
    nytp_sink *(*open)(void *context, nytp_error *e);
    void (*close)(void *context, nytp_sink *sink, int code, nytp_error *e); /* code: what the report has returned */
    void *context;
} nytp_report_build;

/* Loads the captures, and writes the report to the sink that `open` makes when all are read. A report that has none of
 * builds, and options that are for profiles, are errors of usage. */
void nytp_report_build_make(const nytp_report_build *r, nytp_error *e);

#endif
