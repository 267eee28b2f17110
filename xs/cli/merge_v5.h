/* SPDX-License-Identifier: MIT */
/* merge_v5.h - merging with at least one file of format 5. A part of cmd_merge. */
#ifndef NYTP_CLI_MERGE_V5_H
#define NYTP_CLI_MERGE_V5_H

#include "base/error.h"

/* Whether the file is of format 5. What cannot be opened is not; memory that is short is told in e. */
int nytp_merge_v5_is(const char *path, nytp_error *e);

/* Writes one file of format 5 to fd, which it closes. Captures are replayed as events. Prints which files are read, and
 * on standard error what is left out. */
void nytp_merge_v5(int fd, char **paths, int n, int every_event, nytp_error *e);

#endif
