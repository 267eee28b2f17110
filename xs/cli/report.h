/* report.h - what the verbs that write a report share. */
#ifndef NYTP_CLI_REPORT_H
#define NYTP_CLI_REPORT_H

#include "model/load.h"
#include "report/registry.h"

typedef struct nytp_cli_report {
    const nytp_report *report;
    const char *file;  /* of -f, or NULL */
    const char *out;   /* the directory; of a report of one page the file */
    int32_t is_page;   /* 1: it has one page */
    int32_t has_notes; /* 1: its pages tell the profile's notes; else standard error does */
    int32_t empty;     /* 1: delete an earlier report's pages first */
    nytp_load_options load;
    const char *banner; /* a first line to print, or NULL */
    int (*write)(const struct nytp_cli_report *r, const nytp_profile *p, nytp_sink *sink); /* NULL: the report's own */
    void *context;      /* for write */
} nytp_cli_report;

/* Loads the captures (those given, else -f's, else the default), says so where the report is a directory, and writes
 * the report. Returns an exit code. */
int nytp_cli_report_run(const nytp_cli_report *r, int files, char **names);

#endif
