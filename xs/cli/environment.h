/* SPDX-License-Identifier: MIT */
/* environment.h - variables of this process's environment, for the program that takes its place. */
#ifndef NYTP_CLI_ENVIRONMENT_H
#define NYTP_CLI_ENVIRONMENT_H

#include "base/error.h"

/* Sets a variable to a text made as by printf. */
void nytp_environment_set(nytp_error *e, const char *name, const char *format, ...) NYTP_PRINTF(3, 4);

/* The value of the first of these variables that is set, else the default `without`. */
const char *nytp_environment_get(const char *name, const char *second, const char *without);

#endif
