/* SPDX-License-Identifier: MIT */
/* compare.h - `nytprof run --compare N A -- B`: times of two commands, and whether they differ. */
#ifndef NYTP_CLI_COMPARE_H
#define NYTP_CLI_COMPARE_H

#include "cli/launch.h"

/* Profiles each command once, then runs them in turns, so many times each, without the profiler, and prints their
 * times. Their input and output is /dev/null. The arguments are both commands with -- between them; file is the name of
 * the captures, with .a and .b behind. Returns an exit code. */
int nytp_compare(const nytp_launch *l, const char *file, uint32_t runs, int argc, char **argv, nytp_error *e);

#endif
