/* SPDX-License-Identifier: MIT */
/* builder.h - the capture of a build, and the environment by which its programs write to it. */
#ifndef NYTP_CLI_BUILDER_H
#define NYTP_CLI_BUILDER_H

#include "base/buf.h"
#include "base/error.h"
#include "capture/guest.h"
#include "cli/secret.h"

#define NYTP_BUILDER_FILE "nytprof.build" /* without -o */

enum nytp_builder_method { NYTP_BUILDER_PRELOAD, NYTP_BUILDER_SHELL };

typedef struct nytp_builder {
    const char *file;       /* as the user names it */
    const char *const *command; /* of the build, ending with NULL */
    enum nytp_builder_method method;
    int32_t hides;          /* 1: without the arguments of commands */
    const nytp_cli_secret *secret; /* arguments are without what matches; borrowed; NULL: all is recorded */
    uint64_t limit;         /* megabytes of the capture; 0: any number */
    nytp_guest guest;       /* the stream of this process */
    nytp_buf path;          /* absolute name of the file used */
    uint64_t start;         /* of the command */
    uint64_t pid;           /* of the command, when it runs */
    int32_t fd;             /* of the file, locked; -1 */
} nytp_builder;

/* Makes the file, and sets this process's environment for the command. Returns the error's code. */
enum nytp_code nytp_builder_open(nytp_builder *b, nytp_error *e);

/* Writes what the command was, once it runs; context is the builder. */
void nytp_builder_begun(void *context, uint64_t pid);

/* Writes how it ended, status as of waitpid. */
void nytp_builder_ended(nytp_builder *b, int status);

/* Whether the capture has the size that the limit allows. */
int nytp_builder_is_full(const nytp_builder *b);

/* Counts the processes of the build in the file, the command included. A file with damage has lost records. */
uint64_t nytp_builder_count(nytp_builder *b, nytp_error *e);

void nytp_builder_close(nytp_builder *b);

#endif
