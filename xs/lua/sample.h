/* SPDX-License-Identifier: MIT */
/* sample.h - option sample: no hook but for a moment, by an alarm; see sample.c. Private to this room. */
#ifndef NYTP_LUA_SAMPLE_H
#define NYTP_LUA_SAMPLE_H

#include "lua/glue.h"
#include "lua/moment.h"
#include "sample/pace.h"
#include "sample/peek.h"
#include "sample/weight.h"

typedef struct nytp_lua_sampler {
    nytp_weight weight;
    nytp_pace pace; /* in CPU time */
    nytp_peek peek;     /* of this process, for the handler: see walk.c */
    uint8_t thread_tag; /* the kind of a value that is a thread, as in nytp_layout; 0: coroutines are not found */
    lua_State *volatile asked; /* has a hook for a sample; NULL: none has */
    const void *volatile call; /* that ran when it was asked for, and ... */
    nytp_moment moment;        /* ... where in it */
    int64_t outside;    /* nanoseconds of CPU time since the latest sample that were not Lua's */
    nytp_call at;       /* of the latest sample; its node is NULL before the first */
} nytp_lua_sampler;

/* walk.c: looks how this Lua keeps coroutines that are resumed. L runs. */
void nytp_lua_walk_learn(nytp_lua *g, lua_State *L);

/* The thread that runs and its innermost call; NULL if none does. For a signal handler in the system thread that runs
 * this Lua. */
lua_State *nytp_lua_walk_running(const nytp_lua *g, const void **call);

/* Finds the node and place of a call of L, which runs, at that moment; or of the innermost one if that has ended. 0:
 * memory is short. */
int nytp_lua_walk_find(nytp_lua *g, lua_State *L, const void *call, nytp_call *found);

#endif
