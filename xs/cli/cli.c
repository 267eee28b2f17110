/* SPDX-License-Identifier: MIT */
/* cli.c - what the verbs share. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>

int nytp_cli_failure(const nytp_error *e) {
    fflush(stdout);
    fprintf(stderr, "nytprof: %s\n", e->text);
    return NYTP_CLI_FAILURE;
}

int nytp_cli_usage(const char *format, ...) {
    va_list args;

    fflush(stdout);
    fputs("nytprof: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputs(" (see `nytprof help`)\n", stderr);
    return NYTP_CLI_USAGE;
}

const char *nytp_cli_only_file(const nytp_call *call) {
    if (call->argc > 1) {
        nytp_cli_usage("%s: expected one capture, got also '%s'", call->verb->name, call->argv[1]);
        return NULL;
    }
    return call->argc ? call->argv[0] : NYTP_CLI_DEFAULT_FILE;
}
