/* SPDX-License-Identifier: MIT */
/* registry.h - a report is one const struct in a file of its own, which makes its verb:
 *
 *     const nytp_report nytp_NAME_report = {
 *
 * xs/report/rows.pl finds these lines for build/reports.c. The command makes a verb, its help and shell completion from
 * each row; t/reports.t demands a golden and a section of the manual for each. */
#ifndef NYTP_REPORT_REGISTRY_H
#define NYTP_REPORT_REGISTRY_H

#include "model/build.h"
#include "model/profile.h"
#include "report/args.h"
#include "report/changes.h"
#include "report/judged.h"
#include "report/classes.h"
#include "report/select.h"
#include "report/shown.h"
#include "report/sink.h"

/* Callbacks for a long report's progress; any may be NULL. */
typedef struct nytp_listener {
    void (*part)(void *context, const char *name); /* a part of that name begins */
    void (*page)(void *context, uint32_t done, uint32_t all);
    void *context;
} nytp_listener;

/* The input of a report. */
typedef struct nytp_request {
    const nytp_profile *profiles;
    uint32_t profiles_n;          /* one, or as many as the row requires */
    const char *version;          /* the distribution's */
    const nytp_arg_value *values; /* a row for each of the report's args */
    nytp_shown shown;             /* of the first profile's metrics; of a report without NYTP_ARGS_METRIC all */
    const nytp_selection *selection; /* of the first profile; of a report without such options everything */
    const nytp_compared_request *base; /* what has changed since the capture of --base; NULL: not given */
    const char *sub;     /* the argument SUB of a report that takes one; else NULL */
    int32_t color;       /* 1: colours by escape sequences of terminals */
    int32_t is_terminal; /* 1: it is read on a terminal as it is written */
    uint32_t width;      /* columns of the terminal; 80 if it is none */
    nytp_listener listener;
} nytp_request;

/* The input of a report on captures of builds. */
typedef struct nytp_build_request {
    const nytp_build *builds;
    const nytp_classes *classes;  /* of the processes of each */
    uint32_t builds_n;            /* one, or as many as the row requires */
    const char *version;          /* as in nytp_request, to the end */
    const nytp_arg_value *values;
    int32_t color;
    int32_t is_terminal;
    uint32_t width;
    nytp_listener listener;
} nytp_build_request;

/* What a verb is for: the help lists them by it. */
enum nytp_task {
    NYTP_TASK_EXPORT, /* a file for another program */
    NYTP_TASK_LOOK,   /* for people, in a terminal or a browser */
    NYTP_TASK_PROFILE,
    NYTP_TASK_COMPARE,
    NYTP_TASK_CAPTURES,
    NYTP_TASK_COMMAND, /* about the command itself */
    NYTP_TASKS
};

typedef struct nytp_report {
    const char *name;     /* also the verb */
    enum nytp_task task;  /* for the help */
    const char *summary;  /* for the help: "writes ..." */
    const char *output;   /* the default of --out: a directory, or with is_page a file, "-" is stdout */
    int32_t is_page;      /* 1: one page, in a file */
    int32_t is_binary;    /* 1: its page is no text, and not for a terminal */
    int32_t has_notes;    /* 1: its pages have the profile's notes; else they go to standard error */
    int32_t is_apart;     /* 1: call paths of different processes stay apart, see model/root.h */
    int32_t wants_stretches; /* 1: what passed when, see model/stretches.h */
    int32_t tells_outside; /* 1: time outside statements has entries of its own, see model/outside.h */
    int32_t wants_calls;  /* 1: calls in their order, nytp_process.spans */
    int32_t wants_counts; /* 1: how often lines and subs ran, which a sampled profile does not know */
    int32_t takes_sub;    /* 1: the argument ahead of the files is SUB */
    int32_t is_whole;     /* 1: times are whole nanoseconds, which have the same total in all such reports */
    uint32_t profiles;    /* number of profiles that it compares, a file each; 0: all files are one profile */
    const char *banner;   /* a line to print ahead, or NULL */
    const char *first;    /* first page, which is printed, and opened by --open; NULL: none */
    const nytp_arg *args; /* its own options; NULL: none */
    /* Returns an nytp_code; errors of the sink are in the sink. */
    int (*write)(const nytp_request *r, nytp_sink *sink);
    int (*write_build)(const nytp_build_request *r, nytp_sink *sink); /* likewise, of builds; NULL: it has none */
    int (*write_changes)(const nytp_changes_request *r, nytp_sink *sink); /* likewise, of two builds */
    int (*write_compared)(const nytp_compared_request *r, nytp_sink *sink); /* of profiles of two sides */
} nytp_report;

/* By file name, ending with NULL. */
extern const nytp_report *const nytp_reports[];

#endif
