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
    int32_t calls;       /* 1: calls in their order, as some reports want, unless the options say otherwise */
    const char *sample;  /* options of a sampled run: no interpreter is loaded with hooks; NULL: an exact one */
    int32_t preload;     /* 1: programs that link Lua's shared library */
    int32_t memory;      /* 1: option memory, and in perl the library that counts bytes */
    int32_t is_located, is_installed; /* top is known; it is a prefix, not a build */
    char top[NYTP_PROGRAM_PATH];      /* of the directories of interpreters.h */
    char directories[NYTP_INTERPRETERS_DIRECTORIES][NYTP_PROGRAM_PATH]; /* the latest found, behind -I */
} nytp_launch;

/* Finds where modules are that were built or installed together with this command. In the usual directories
 * interpreters find them by themselves. */
void nytp_launch_locate(nytp_launch *l);

/* Leaves the directories for an interpreter in l, each behind -I; returns their number, 0 where they have no module.
 * A path that is too long counts as missing. */
uint32_t nytp_launch_directories(nytp_launch *l, const nytp_interpreter *row);

/* Appends the value of NYTPROF: that of the environment, then the options, then the file's absolute name, for processes
 * that change their directory; a name in the environment stays as it is. file gets the name as given, NUL-terminated.
 * Both buffers fail together. Returns 1 if the name is this command's choice, 0 if it is from the environment. */
int nytp_launch_options(const nytp_launch *l, nytp_buf *text, nytp_buf *file);

/* Sets this process's environment for the program, NYTPROF to the text. Returns the error's code. */
int nytp_launch_prepare(nytp_launch *l, const nytp_program *p, const nytp_buf *text, nytp_error *e);

/* The command that runs the program with these arguments, ending with NULL; l NULL: without the profiler. The array is
 * the caller's to free, its strings are borrowed, some from l. NULL without memory. */
const char **nytp_launch_command(nytp_launch *l, const nytp_program *p, int argc, char **argv);

#endif
