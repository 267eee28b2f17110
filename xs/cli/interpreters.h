/* SPDX-License-Identifier: MIT */
/* interpreters.h - the interpreters that `nytprof run` knows, a row each: how their programs are recognised, and how
 * they load the profiler. */
#ifndef NYTP_CLI_INTERPRETERS_H
#define NYTP_CLI_INTERPRETERS_H

#include "cli/program.h"

#define NYTP_INTERPRETERS_NAMES 4
#define NYTP_INTERPRETERS_DIRECTORIES 2

typedef struct nytp_interpreter {
    const char *names[NYTP_INTERPRETERS_NAMES];    /* of its command, which a version may follow: perl5.36 */
    const char *suffixes[NYTP_INTERPRETERS_NAMES]; /* of its programs' names */
    const char *commands[NYTP_INTERPRETERS_NAMES]; /* for programs known by the suffix: the first that PATH has, else
                                                      names[0] */
    /* Directories of the profiler below the top of a build, and below the prefix that it is installed to. */
    const char *built[NYTP_INTERPRETERS_DIRECTORIES], *installed[NYTP_INTERPRETERS_DIRECTORIES];
    const char *module;         /* a file that the first directory has if the profiler is there; NULL: not looked for */
    int is_needed;              /* 1: an interpreter that does not find the module does not start, and a build may lack
                                   it, so commands that may start one are not told to load it unless it is there */
    const char *load;           /* the switch that loads it, behind -I for each directory; NULL: prepare does that */
    const char *samples;        /* the switch that loads the sampler instead; NULL: there is none */
    int reads_sample;           /* 1: what profiles it samples it, by option sample. 0, and no switch: not sampled */
    int counts_memory;          /* 1: option memory is for it */
    int loads_heap;             /* 1: with the library that counts bytes */
    const char *options, *path; /* variables that have such switches, and directories of modules */

    /* For an interpreter without such switches and variables: sets the environment. is_certain says that it is this
     * interpreter that will run; directory is the first of the above, or empty. */
    void (*prepare)(const char *directory, int is_certain, nytp_error *e);
    /* What cannot be profiled, or NULL if everything can: the error's code. The arguments are those of the program. */
    int (*check)(const nytp_program *p, int argc, char **argv, nytp_error *e);
} nytp_interpreter;

/* The i-th row; NULL behind the last. */
const nytp_interpreter *nytp_interpreters_at(uint32_t i);

/* The row of a command, which may be a path, or of a program by its suffix; NULL if it is of no interpreter here. */
const nytp_interpreter *nytp_interpreters_named(const char *command);
const nytp_interpreter *nytp_interpreters_of_suffix(const char *file);

#endif
