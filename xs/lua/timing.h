/* SPDX-License-Identifier: MIT */
/* timing.h - a second hook, around that of hook.c, for options latency, waiting: when each call has begun.
 *
 * A call's length means the same as the inclusive time of its context: what passes in it and in the contexts below.
 * So the time of a coroutine that is suspended is in none of its calls, and that of a coroutine that runs is in the
 * calls that wait for it, if they are above its first call in the tree: others that resume it later on only switch to
 * it. A function that ends with a tail call waits for what takes its place, as its caller does: of the functions of a
 * chain of tail calls the first ones end with the chain, the others each with its own tail call, as a loop of these may
 * go on for ever. Calls that an error has left end when the next event tells that they have gone. */
#ifndef NYTP_LUA_TIMING_H
#define NYTP_LUA_TIMING_H

#include "lua/glue.h"
#include "record/latency.h"

void nytp_lua_timing_hook(lua_State *L, lua_Debug *ar);

/* These do nothing without the option. forget: the stacks are unknown after a pause, and calls that run have no length;
 * finish: calls that run, or are suspended, end with the profile. */
void nytp_lua_timing_forget(nytp_lua *g);
void nytp_lua_timing_finish(nytp_lua *g);
void nytp_lua_timing_free(nytp_lua *g);

#endif
