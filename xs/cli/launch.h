/* SPDX-License-Identifier: MIT */
/* launch.h - what makes a Perl or a Lua load the profiler: switches and the environment. */
#ifndef NYTP_CLI_LAUNCH_H
#define NYTP_CLI_LAUNCH_H

#include "base/buf.h"
#include "cli/program.h"

typedef struct nytp_launch {
    const char *file;    /* where the profile goes, or NULL: as the options say */
    const char *options; /* more for NYTPROF, or NULL */
    int32_t children;    /* 1: what a Perl or Lua program starts as well */
    int32_t preload;     /* 1: programs that have Lua's shared library in them */
    char lib[NYTP_PROGRAM_PATH], arch[NYTP_PROGRAM_PATH]; /* "-IDIRECTORY" for Perl, or empty */
    char lua[NYTP_PROGRAM_PATH];                          /* 5.4/nytprof.so behind it is a module, if there is one */
} nytp_launch;

/* Looks for what was built or installed together with this command. Where it is in the usual place Perl and Lua find it
 * by themselves, too. */
void nytp_launch_locate(nytp_launch *l);

/* Appends the value of NYTPROF: what the environment has, then the options, then the file by its full name, so that
 * processes that change their directory mean the same one; only a name that the environment has stays as it is. file is
 * that name as it was given, NUL-terminated; it fails with text. */
void nytp_launch_options(const nytp_launch *l, nytp_buf *text, nytp_buf *file);

/* Sets this process's environment for the program, NYTPROF to the text. Returns the error's code. */
int nytp_launch_prepare(const nytp_launch *l, const nytp_program *p, const nytp_buf *text, nytp_error *e);

#define NYTP_LAUNCH_SWITCHES 3

/* The switches for a Perl that is run directly; returns how many. They live as long as l. */
int nytp_launch_switches(const nytp_launch *l, const char *switches[NYTP_LAUNCH_SWITCHES]);

#endif
