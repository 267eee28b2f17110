/* SPDX-License-Identifier: MIT */
/* args.h - the options of a verb as rows of a table: used for parsing, help and shell completion; values are in a table
 * of the same order. */
#ifndef NYTP_REPORT_ARGS_H
#define NYTP_REPORT_ARGS_H

#include <stdint.h>

enum nytp_arg_kind {
    NYTP_ARG_SWITCH,   /* takes no value */
    NYTP_ARG_TEXT,
    NYTP_ARG_WORD,     /* one of words */
    NYTP_ARG_FILE,
    NYTP_ARG_DIRECTORY,
    NYTP_ARG_NUMBER,   /* whole, from least to most */
    NYTP_ARG_DECIMAL,  /* from least to most */
    NYTP_ARG_SECONDS,  /* likewise */
    NYTP_ARG_MODE,     /* permissions, in octal digits */
    NYTP_ARG_MAYBE     /* a path, or none: --name or --name=PATH */
};

/* Options of a report that the command handles; the others are the report's own. */
enum nytp_arg_use {
    NYTP_ARG_OWN,
    NYTP_ARG_FOR_LIBRARY, /* a directory that modules were found in */
    NYTP_ARG_FOR_EVALS,   /* evals of one text stay apart */
    NYTP_ARG_FOR_METRIC,  /* names of the metrics that are shown: shown.h */
    NYTP_ARG_FOR_PAGE,    /* the report becomes one page, in the file of its fallback */
    NYTP_ARG_FOR_RENDERER, /* graphviz makes a picture of the page, in the format of the value */
    NYTP_ARG_FOR_SPLIT,   /* a report for each process, in a file of its own */
    NYTP_ARG_FOR_BROWSER, /* the report is shown when it is written */
    NYTP_ARG_FOR_FILTER,  /* this and the next make the selection: select.h */
    NYTP_ARG_FOR_PACKAGE,
    NYTP_ARG_FOR_SOURCE,
    NYTP_ARG_FOR_FROM,
    NYTP_ARG_FOR_BELOW,   /* likewise, for a report of subs: the profile is cut down to it */
    NYTP_ARG_FOR_PERCENT,
    NYTP_ARG_FOR_TOP,
    NYTP_ARG_FOR_COLOR,
    NYTP_ARG_FOR_CLASSES, /* a file of rules that sort processes of a build into classes: schemata.h */
    NYTP_ARG_FOR_BASE,    /* an old capture that the profile is compared with */
    NYTP_ARG_FOR_ASSET    /* prints the asset of its fallback instead of a report */
};

/* One option. Members not given are zero. */
typedef struct nytp_arg {
    const char *name;     /* --name; NULL ends a table */
    const char *value;    /* what the help calls its value: "FILE"; NULL of a switch */
    const char *help;     /* half a sentence; NULL: not in the help */
    const char *fallback; /* the default, shown in the help; or NULL */
    const char *words;    /* values, separated by blanks: of a word all, else for shell completion; or NULL */
    const char *without;  /* name of an option of the same verb that cannot be given, too; or NULL */
    double least, most;   /* of a number; most 0: no limit */
    enum nytp_arg_kind kind;
    enum nytp_arg_use use;
    char letter; /* -x; 0: none */
} nytp_arg;

/* An option's value. */
typedef struct nytp_arg_value {
    uint32_t given;   /* 0: not given; else its position among the options given, so that the last of two can win */
    const char *text; /* or the fallback */
    double number;    /* of text; 0 without one */
} nytp_arg_value;

/* Options that several verbs have. */
#define NYTP_ARGS_MODE(whose) \
    {.name = "mode", .kind = NYTP_ARG_MODE, .value = "MODE", \
     .help = "permissions of what is written, in octal as for chmod [" whose "]"}
#define NYTP_ARGS_LIBRARY \
    {.name = "lib", .letter = 'l', .kind = NYTP_ARG_DIRECTORY, .value = "DIR", .use = NYTP_ARG_FOR_LIBRARY, \
     .help = "one more directory that modules were found in"}
#define NYTP_ARGS_EVALS \
    {.name = "no-mergeevals", .use = NYTP_ARG_FOR_EVALS, .help = "keep string evals of one line and text apart"}
#define NYTP_ARGS_METRIC \
    {.name = "metric", .kind = NYTP_ARG_TEXT, .value = "NAMES", .words = "time", \
     .use = NYTP_ARG_FOR_METRIC, .help = "metrics to show, separated by commas, the ranking one first [time and all]"}
#define NYTP_ARGS_OPEN \
    {.name = "open", .use = NYTP_ARG_FOR_BROWSER, \
     .help = "show it in a browser: that of BROWSER, else the desktop's"}
#define NYTP_ARGS_FILTER \
    {.name = "filter", .kind = NYTP_ARG_TEXT, .value = "REGEX", .use = NYTP_ARG_FOR_FILTER, \
     .help = "only subs with names that match"}
#define NYTP_ARGS_PACKAGE \
    {.name = "package", .kind = NYTP_ARG_TEXT, .value = "NAME", .use = NYTP_ARG_FOR_PACKAGE, \
     .help = "only subs of this package and those below it"}
#define NYTP_ARGS_SOURCE \
    {.name = "source", .kind = NYTP_ARG_FILE, .value = "NAME", .use = NYTP_ARG_FOR_SOURCE, \
     .help = "only subs of this source file"}
#define NYTP_ARGS_FROM \
    {.name = "from", .kind = NYTP_ARG_TEXT, .value = "SUB", .use = NYTP_ARG_FOR_FROM, \
     .help = "only what is called below this sub"}
#define NYTP_ARGS_BELOW \
    {.name = "from", .kind = NYTP_ARG_TEXT, .value = "SUB", .use = NYTP_ARG_FOR_BELOW, \
     .help = "only what is called below this sub"}
#define NYTP_ARGS_MIN_PERCENT \
    {.name = "min-percent", .kind = NYTP_ARG_DECIMAL, .value = "N", .most = 100, .use = NYTP_ARG_FOR_PERCENT, \
     .help = "only what took N % of the run or more"}
/* All of a report of call paths. */
#define NYTP_ARGS_PATHS \
    NYTP_ARGS_FILTER, NYTP_ARGS_PACKAGE, NYTP_ARGS_SOURCE, NYTP_ARGS_FROM, NYTP_ARGS_MIN_PERCENT
#define NYTP_ARGS_TOP \
    {.name = "top", .letter = 'n', .kind = NYTP_ARG_NUMBER, .value = "N", .least = 1, .most = 4000000000u, \
     .use = NYTP_ARG_FOR_TOP, .help = "only the first N"}
#define NYTP_ARGS_CLASSES \
    {.name = "classes", .kind = NYTP_ARG_FILE, .value = "FILE", .use = NYTP_ARG_FOR_CLASSES, \
     .help = "rules that sort processes of a build into classes"}
#define NYTP_ARGS_BASE \
    {.name = "base", .kind = NYTP_ARG_FILE, .value = "FILE", .use = NYTP_ARG_FOR_BASE, .without = "time", \
     .help = "an old capture: the report begins with what has changed since then"}
#define NYTP_ARGS_COLOR \
    {.name = "color", .kind = NYTP_ARG_WORD, .value = "WHEN", .fallback = "auto", .words = "auto always never", \
     .use = NYTP_ARG_FOR_COLOR, .help = "colours: always, never, or on a terminal"}

#endif
