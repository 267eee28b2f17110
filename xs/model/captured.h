/* SPDX-License-Identifier: MIT */
/* captured.h - the captures of programs in Perl, Lua and Ruby that a build has run: those of `nytprof make --children`,
 * which stand beside the build's own, FILE, as FILE.out and FILE.out.PID. */
#ifndef NYTP_MODEL_CAPTURED_H
#define NYTP_MODEL_CAPTURED_H

#include "model/processes.h"

typedef struct nytp_captured {
    const char *path;   /* in the directory of the build's capture */
    nytp_str program;   /* the script's name */
    uint64_t process;   /* start of the process of the build that the program is, or is below */
    uint64_t pid;       /* of the program */
    int64_t start;      /* its own, ns since the epoch */
} nytp_captured;

typedef struct nytp_captures nytp_captures;

/* Looks for captures beside that of a build. A file that is none, is another user's or cannot be read is passed over.
 * NULL for want of memory. */
nytp_captures *nytp_captured_find(const char *build);

/* The captures of a process and of what it has run that is no process of the build itself, in the order of their
 * starts: *n of them. NULL if there is none. */
const nytp_captured *nytp_captured_of(const nytp_captures *c, const nytp_built *process, uint32_t *n);

uint32_t nytp_captured_count(const nytp_captures *c);

void nytp_captured_free(nytp_captures *c); /* takes NULL */

#endif
