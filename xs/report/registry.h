/* SPDX-License-Identifier: MIT */
/* registry.h - a report is one const struct in a file of its own, which makes its verb:
 *
 *     const nytp_report nytp_NAME_report = {
 *
 * xs/report/rows.pl finds these lines for build/reports.c. The command makes the verb, its help and the completion of
 * shells of such a row; t/reports.t wants a golden and a section of the manual for each. */
#ifndef NYTP_REPORT_REGISTRY_H
#define NYTP_REPORT_REGISTRY_H

#include "model/profile.h"
#include "report/args.h"
#include "report/shown.h"
#include "report/sink.h"

/* Told of a long report's progress; every function may be NULL. */
typedef struct nytp_listener {
    void (*part)(void *context, const char *name); /* a part of that name begins */
    void (*page)(void *context, uint32_t done, uint32_t all);
    void *context;
} nytp_listener;

/* What a report is to be made of. */
typedef struct nytp_request {
    const nytp_profile *profiles;
    uint32_t profiles_n;          /* one, or what the row wants */
    const char *version;          /* the distribution's */
    const nytp_arg_value *values; /* a row for each of the report's args */
    nytp_shown shown;             /* of the first profile's metrics; of a report without NYTP_ARGS_METRIC all */
    nytp_listener listener;
} nytp_request;

typedef struct nytp_report {
    const char *name;     /* also the verb */
    const char *summary;  /* for the help: "writes ..." */
    const char *output;   /* where it goes if --out does not say: a directory, or with is_page a file, "-" stdout */
    int32_t is_page;      /* 1: one page, in a file */
    int32_t has_notes;    /* 1: its pages tell the profile's notes; else standard error does */
    int32_t tells_outside; /* 1: what passed outside statements has entries of its own, see model/outside.h */
    uint32_t profiles;    /* how many it compares, a file for each; 0: all files are one profile */
    const char *banner;   /* a line to print ahead, or NULL */
    const char *first;    /* page to begin with, which is told, and shown by --open; NULL: none */
    const nytp_arg *args; /* its own options; NULL: none */
    /* Returns an nytp_code; what went wrong with the sink is in the sink. */
    int (*write)(const nytp_request *r, nytp_sink *sink);
} nytp_report;

/* By file name, ending with NULL. */
extern const nytp_report *const nytp_reports[];

#endif
