/* SPDX-License-Identifier: MIT */
/* cli.c - what the verbs share. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/screen.h"

int nytp_cli_failure(const nytp_error *e) {
    nytp_screen_end();
    if (e->code == NYTP_IO && e->sys == EPIPE) return NYTP_CLI_FINE;
    fflush(stdout);
    nytp_print_message("%s", e->text);
    return NYTP_CLI_FAILURE;
}

/* Names the help that tells more: that of a verb if the message begins with its name and a colon. */
static void make_hint(char *hint, size_t room, const char *format, va_list values) {
    char name[16];
    vsnprintf(name, sizeof name, format, values);
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz");
    int is_verb = n && name[n] == ':';
    name[n] = '\0';
    snprintf(hint, room, " (see `nytprof help%s%s`)", is_verb ? " " : "", is_verb ? name : "");
}

int nytp_cli_usage(const char *format, ...) {
    char hint[64];
    va_list values, again;

    nytp_screen_end();
    fflush(stdout);
    va_start(values, format);
    va_copy(again, values);
    make_hint(hint, sizeof hint, format, again);
    nytp_print_message_with(format, values, hint);
    va_end(again);
    va_end(values);
    return NYTP_CLI_USAGE;
}

int nytp_cli_either_file(const nytp_call *call, const nytp_arg_value *option) {
    if (!option->given || !call->argc) return NYTP_CLI_FINE;
    return nytp_cli_usage("%s: expected a capture as argument or with --file, got both '%s' and '%s'",
                          call->verb->name, call->argv[0], option->text);
}

const char *nytp_cli_only_file(const nytp_call *call, const nytp_arg_value *option) {
    if (nytp_cli_either_file(call, option)) return NULL;
    if (call->argc > 1) {
        nytp_cli_usage("%s: expected one capture, got also '%s'", call->verb->name, call->argv[1]);
        return NULL;
    }
    return option->given ? option->text : call->argc ? call->argv[0] : NYTP_CLI_DEFAULT_FILE;
}
