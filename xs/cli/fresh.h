/* SPDX-License-Identifier: MIT */
/* fresh.h - the captures that a run has left: a file, and those named after it. */
#ifndef NYTP_CLI_FRESH_H
#define NYTP_CLI_FRESH_H

#include <stddef.h>
#include <time.h>

#include "base/error.h"

/* Now, by the clock that files are stamped with. */
struct timespec nytp_fresh_now(void);

/* FILE and FILE.*, as far as they were written since then: the names, sorted, and NULL behind them; *n says how many.
 * The caller frees each and the array. NULL if there is no memory. */
char **nytp_fresh_captures(const char *file, struct timespec since, size_t *n, nytp_error *e);

#endif
