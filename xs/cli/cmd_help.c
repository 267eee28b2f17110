/* SPDX-License-Identifier: MIT */
/* cmd_help.c - `nytprof help`: the verbs, or the options of one. */
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/plugin.h"
#include "cli/verbs.h"

static int run_help(const nytp_call *call) {
    if (call->argc > 1) return nytp_cli_usage("help: expected one verb, got also '%s'", call->argv[1]);
    if (!call->argc) {
        nytp_help_screen();
        return NYTP_CLI_FINE;
    }
    nytp_verb v = nytp_verbs_find(call->argv[0]);
    if (!v.name) {
        char *ask[] = {"--help", NULL};
        int status = nytp_plugin_run(call->argv[0], 1, ask);
        return status < 0 ? nytp_help_unknown(call->argv[0]) : status;
    }
    nytp_help_options(&v);
    return NYTP_CLI_FINE;
}

const nytp_verb nytp_help_verb = {
    .name = "help",
    .task = NYTP_TASK_COMMAND,
    .is_long = 1,
    .arguments = "[VERB]",
    .summary = "prints this, or how to use a verb",
    .run = run_help,
};
