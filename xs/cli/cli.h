/* SPDX-License-Identifier: MIT */
/* cli.h - the verbs of the command, and what they share. A verb is one file cmd_NAME.c with one const struct, and one
 * word in verbs.c; a report (report/registry.h) is a verb without either. */
#ifndef NYTP_CLI_CLI_H
#define NYTP_CLI_CLI_H

#include "base/error.h"
#include "report/registry.h"

#ifndef NYTP_VERSION /* of the distribution; set by the Makefile */
#define NYTP_VERSION "(of no distribution)"
#endif

enum nytp_cli_status { NYTP_CLI_FINE = 0, NYTP_CLI_FAILURE = 1, NYTP_CLI_USAGE = 2 }; /* exit codes */

#define NYTP_CLI_DEFAULT_FILE "nytprof.out"

struct nytp_verb;

/* The call of a verb. */
typedef struct nytp_call {
    const struct nytp_verb *verb;
    const nytp_arg_value *values; /* a row for each of the verb's args */
    int argc;                     /* number of arguments behind the options */
    char **argv;
    int behind;                   /* how many of them are behind an argument "--" */
    int wants_help;               /* 1: by -h or --help among the options; the rest is not parsed */
} nytp_call;

typedef struct nytp_verb {
    const char *name;
    enum nytp_task task;    /* for the help */
    const char *arguments;  /* for the help: "[OPTIONS] FILE..." */
    const char *summary;    /* for the help: "makes ..." */
    const char *words;      /* its argument's values for shell completion, separated by blanks; NULL: files */
    const nytp_arg *args;   /* its options; NULL: none */
    int32_t is_long;        /* 1: prints text that may be longer than a screen, for a pager */
    int32_t stops;          /* 1: options end at the first argument that is none; the rest is for the verb */
    int32_t makes_reports;  /* 1: it has the options of choices.h, too, behind its own */
    int (*run)(const nytp_call *call); /* returns an exit code */
    const nytp_report *report;         /* the report that it writes; NULL: none */
} nytp_verb;

/* Both write one line to standard error and return the exit code. An output that a reader has closed is no failure. A
 * usage message that begins with a verb's name and a colon ends with a reference to its help. */
int nytp_cli_failure(const nytp_error *e);
int nytp_cli_usage(const char *format, ...) NYTP_PRINTF(1, 2);

/* An option -f FILE, for what an argument can name as well. */
#define NYTP_CLI_ARGS_FILE \
    {.name = "file", .letter = 'f', .kind = NYTP_ARG_FILE, .value = "FILE", \
     .help = "the capture, if there is no argument FILE"}

/* Refuses -f FILE together with arguments. Returns an exit code. */
int nytp_cli_either_file(const nytp_call *call, const nytp_arg_value *option);

/* The one capture of a verb, by its argument or -f; the default file without both. NULL, after an error message, if
 * there are more. */
const char *nytp_cli_only_file(const nytp_call *call, const nytp_arg_value *option);

#endif
