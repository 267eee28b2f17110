/* SPDX-License-Identifier: MIT */
/* help.h - the command's help. */
#ifndef NYTP_CLI_HELP_H
#define NYTP_CLI_HELP_H

#include <stdio.h>

#include "cli/cli.h"

#define NYTP_HELP_LINES 24   /* the screen that nytp_help_screen fits on */
#define NYTP_HELP_COLUMNS 80

void nytp_help_screen(void);                /* prints what the command can do, by task */
void nytp_help_list(FILE *to);              /* prints all verbs, a line each */
void nytp_help_options(const nytp_verb *v); /* prints how to use one */

/* Says on standard error that there is no such verb, and which there are. Returns the exit code. */
int nytp_help_unknown(const char *name);

#endif
