/* SPDX-License-Identifier: MIT */
/* launch.h - switches and environment by which an interpreter loads the profiler. */
#ifndef NYTP_CLI_LAUNCH_H
#define NYTP_CLI_LAUNCH_H

#include "base/buf.h"
#include "cli/interpreters.h"

typedef struct nytp_launch {
    const char *file;    /* file of the profile; NULL: as in the options */
    const char *options; /* more for NYTPROF, or NULL */
    int32_t children;    /* 1: also programs that the program starts */
    int32_t preload;     /* 1: programs that link Lua's shared library */
    int32_t is_located, is_installed; /* top is known; it is a prefix, not a build */
    char top[NYTP_PROGRAM_PATH];      /* of the directories of interpreters.h */
    char directories[NYTP_INTERPRETERS_DIRECTORIES][NYTP_PROGRAM_PATH]; /* the latest found, behind -I */
} nytp_launch;

/* Finds where modules are that were built or installed together with this command. In the usual directories
 * interpreters find them by themselves. */
void nytp_launch_locate(nytp_launch *l);

/* Appends the value of NYTPROF: that of the environment, then the options, then the file's absolute name, for processes
 * that change their directory; a name in the environment stays as it is. file gets the name as given, NUL-terminated.
 * Both buffers fail together. */
void nytp_launch_options(const nytp_launch *l, nytp_buf *text, nytp_buf *file);

/* Sets this process's environment for the program, NYTPROF to the text. Returns the error's code. */
int nytp_launch_prepare(nytp_launch *l, const nytp_program *p, const nytp_buf *text, nytp_error *e);

#define NYTP_LAUNCH_SWITCHES (NYTP_INTERPRETERS_DIRECTORIES + 1)

/* The switches for an interpreter that is run directly; returns their number. They lie in l. */
int nytp_launch_switches(nytp_launch *l, const nytp_program *p, const char *switches[NYTP_LAUNCH_SWITCHES]);

#endif
