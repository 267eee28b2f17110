/* SPDX-License-Identifier: MIT */
/* nytprof.h - profiling from a C program that has Lua in it.
 *
 * The functions are in the module, nytprof.so, which a host links or opens with dlopen; it takes Lua itself from the
 * host. Each lua_State that lua_newstate made is profiled by itself, with all its coroutines; states with the same file
 * name share the file. A state, and so these functions for it, belong to one thread at a time; several states may run
 * in several. */
#ifndef NYTPROF_H
#define NYTPROF_H

#include <lua.h>

#if defined(__GNUC__)
#define NYTPROF_API __attribute__((visibility("default")))
#else
#define NYTPROF_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Begins to profile L, anew if it is profiled already. Options are "NAME=VALUE:NAME=VALUE", as in the environment
 * variable NYTPROF, and override it; or NULL. Returns 0; or another number on failure, with one line in message, of
 * room bytes at most, unless that is NULL. */
NYTPROF_API int nytprof_attach(lua_State *L, const char *options, char *message, size_t room);

/* Completes the file and stops profiling L, as do lua_close and the end of the process. Does nothing for a state that
 * is not profiled. */
NYTPROF_API void nytprof_detach(lua_State *L);

/* Pauses and resumes profiling: the time between is not charged. The file is brought up to date. */
NYTPROF_API void nytprof_pause(lua_State *L);
NYTPROF_API int nytprof_resume(lua_State *L, char *message, size_t room); /* as attach */

/* The module itself: luaL_requiref(L, "nytprof", luaopen_nytprof, 0) gives scripts require "nytprof". */
NYTPROF_API int luaopen_nytprof(lua_State *L);

#ifdef __cplusplus
}
#endif
#endif
