/* SPDX-License-Identifier: MIT */
/* help.h - the command's help. */
#ifndef NYTP_CLI_HELP_H
#define NYTP_CLI_HELP_H

#include "cli/cli.h"

void nytp_help_verbs(void);
void nytp_help_verb(const nytp_verb *v);

#endif
