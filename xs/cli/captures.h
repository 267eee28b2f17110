/* SPDX-License-Identifier: MIT */
/* captures.h - the captures that a run has written: FILE and FILE.*. */
#ifndef NYTP_CLI_CAPTURES_H
#define NYTP_CLI_CAPTURES_H

#include <stddef.h>
#include <time.h>

#include "base/error.h"

/* The time, by the clock of file times. */
struct timespec nytp_captures_now(void);

/* Tells before a run whether it can write FILE, as far as that is known: an interpreter would only say so among
 * messages of its own. Returns the error's code. */
enum nytp_code nytp_captures_check(const char *file, nytp_error *e);

/* The names of FILE and FILE.* that were written since that time: *n names, sorted, and NULL behind them. The caller
 * frees each and the array. NULL if memory is short. */
char **nytp_captures_since(const char *file, struct timespec since, size_t *n, nytp_error *e);

#endif
