/* SPDX-License-Identifier: MIT */
/* output.h - permissions of what is written, and a file that is complete or absent: it is written under a temporary
 * name and renamed. For files too large to be made in memory, unlike reports. After a signal nothing remains of it.
 * There may be one at a time. */
#ifndef NYTP_CLI_OUTPUT_H
#define NYTP_CLI_OUTPUT_H

#include "base/error.h"
#include "report/args.h"

/* A capture has paths and source of its user, and is for this user only. */
#define NYTP_CLI_PRIVATE 0600

/* What is made of files is as private as they are: those of the option, else what all of the files and the umask allow.
 * What comes from a pipe is private. */
uint32_t nytp_cli_mode(const nytp_arg_value *option, const char *const *paths, uint32_t n);

typedef struct nytp_cli_output {
    const char *path; /* borrowed */
    char *temporary;  /* the name until it is complete; NULL if path is no regular file and is written directly */
} nytp_cli_output;

/* mode has the file's permissions. Returns a descriptor to write to, the caller's to close, or -1 with e set. After
 * success nytp_cli_output_end must be called. */
int nytp_cli_output_begin(nytp_cli_output *o, const char *path, uint32_t mode, nytp_error *e);

/* Gives the file its name, or removes it if e is set. The caller has closed the descriptor. */
void nytp_cli_output_end(nytp_cli_output *o, nytp_error *e);

#endif
