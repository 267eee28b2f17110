/* SPDX-License-Identifier: MIT */
/* output.h - a file that is there whole or not at all: it is written beside its name and renamed. For what is too large
 * to be put together in memory first, as a report is. Of one that a signal interrupts nothing stays; at any time there
 * is one. */
#ifndef NYTP_CLI_OUTPUT_H
#define NYTP_CLI_OUTPUT_H

#include "base/error.h"

typedef struct nytp_cli_output {
    const char *path; /* borrowed */
    char *temporary;  /* the name until it is whole; NULL where path is no regular file and is written to as it is */
} nytp_cli_output;

/* Returns a descriptor to write to, the caller's to close, or -1 with e set. o wants ending in the first case. */
int nytp_cli_output_begin(nytp_cli_output *o, const char *path, nytp_error *e);

/* Gives the file its name unless e is set, in which case it goes. The descriptor is closed by now. */
void nytp_cli_output_end(nytp_cli_output *o, nytp_error *e);

#endif
