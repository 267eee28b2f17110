/* SPDX-License-Identifier: MIT */
/* cmd_list.c - `nytprof list`: all verbs, a line each. */
#include "cli/cli.h"
#include "cli/help.h"

static int run_list(const nytp_call *call) {
    if (call->argc) return nytp_cli_usage("%s: expected no arguments, got '%s'", call->verb->name, call->argv[0]);
    nytp_help_list(stdout);
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_list_verb = {
    .name = "list",
    .task = NYTP_TASK_COMMAND,
    .is_long = 1,
    .arguments = "",
    .summary = "prints all verbs, a line each",
    .run = run_list,
};
