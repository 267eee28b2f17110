/* SPDX-License-Identifier: MIT */
/* parse.h - parses arguments by a table of options. */
#ifndef NYTP_CLI_PARSE_H
#define NYTP_CLI_PARSE_H

#include "cli/cli.h"

/* Takes the options off the call's arguments, the first of which is the verb's name, into values: one for each of rows,
 * at most NYTP_VERBS_ARGS. Returns an exit code, after an error message if it is not 0. */
int nytp_parse(nytp_call *call, const nytp_arg *rows, nytp_arg_value *values);

#endif
