/* SPDX-License-Identifier: MIT */
/* lua_start.h - how a Lua loads the profiler: by LUA_INIT, since it has no variable for switches. */
#ifndef NYTP_CLI_LUA_START_H
#define NYTP_CLI_LUA_START_H

#include "cli/program.h"

/* As in a row of interpreters.h. Behind the directory 5.4/nytprof.so and 5.3/nytprof.so are modules, if there are
 * some. */
void nytp_lua_start_prepare(const char *directory, int is_certain, nytp_error *e);
int nytp_lua_start_check(const nytp_program *p, int argc, char **argv, nytp_error *e);

/* For programs that link Lua's shared library: preloads the profiler. */
void nytp_lua_start_preload(const char *directory, const nytp_program *p, nytp_error *e);

#endif
