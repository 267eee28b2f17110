/* SPDX-License-Identifier: MIT */
/* attend.h - a program of ours that runs while we wait. */
#ifndef NYTP_CLI_ATTEND_H
#define NYTP_CLI_ATTEND_H

#include "base/error.h"

/* Runs a command, argv ending with NULL, and passes on what signals other processes send us meanwhile; those that the
 * terminal sends it gets itself. Returns waitpid's status, or -1 with the error set if it could not be run. */
int nytp_attend(const char *const *argv, nytp_error *e);

/* Ends this process by that signal, without a core of our own. */
void nytp_attend_die(int number);

#endif
