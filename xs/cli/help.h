/* SPDX-License-Identifier: MIT */
/* help.h - the command's help. */
#ifndef NYTP_CLI_HELP_H
#define NYTP_CLI_HELP_H

#include "cli/cli.h"

void nytp_help_all(void);                 /* prints all verbs */
void nytp_help_options(const nytp_verb *v); /* prints how to use one */

#endif
