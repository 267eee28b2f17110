/* SPDX-License-Identifier: MIT */
/* waiting.h - how long functions in C have waited, and for what kind of thing (option waiting): what sample/blocked.h
 * does, at the events of timing.h. */
#ifndef NYTP_LUA_WAITING_H
#define NYTP_LUA_WAITING_H

#include "lua/glue.h"
#include "sample/blocked.h"

typedef struct nytp_lua_waiting {
    nytp_blocked blocked;
    nytp_live_node *node;   /* current before the event ... */
    nytp_live_place *place;
    int64_t since;          /* ... from then on, in ticks */
    uint32_t is_in_c;       /* 1: this node is a function in C, and its time up to the event is not counted yet */
    enum nytp_blocked_counter closed; /* what the file was that is being closed */
    lua_State *L;           /* the function that is looked at returns in L with the event of ar; NULL: it does not */
    lua_Debug *ar;
} nytp_lua_waiting;

/* Profiling has been switched on, or goes on in a forked child. Does nothing without the option; with too little memory
 * nothing is counted. */
void nytp_lua_waiting_begin(nytp_lua *g);
void nytp_lua_waiting_free(nytp_lua *g);

/* Around all that the recorder writes, whose waiting is not counted. */
void nytp_lua_waiting_writes(nytp_lua *g, int begins);

/* Before the hook of an event that is no line, and after it. */
void nytp_lua_waiting_before(nytp_lua *g);
void nytp_lua_waiting_after(nytp_lua *g, lua_State *L, lua_Debug *ar);

#endif
