/* SPDX-License-Identifier: MIT */
/* verbs.h - the table of verbs: those of this room and one for each report. */
#ifndef NYTP_CLI_VERBS_H
#define NYTP_CLI_VERBS_H

#include "cli/cli.h"

#define NYTP_VERBS_ARGS 64 /* options of a verb, and the row that ends them */

/* The i-th verb, in the order of the help; behind the last a verb without a name. */
nytp_verb nytp_verbs_at(uint32_t i);

/* The verb of that name, or a verb without a name. */
nytp_verb nytp_verbs_find(const char *name);

/* All options of a verb; for a report with those common to reports, for run with one for each
 * report. Returns their number. */
uint32_t nytp_verbs_args(const nytp_verb *v, nytp_arg rows[NYTP_VERBS_ARGS]);

/* Parses the arguments, argv[0] being the verb's name, and runs it, or prints its help. Returns an exit code. */
int nytp_verbs_run(const nytp_verb *v, int argc, char **argv);

#endif
