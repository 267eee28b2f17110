/* SPDX-License-Identifier: MIT */
/* embed.c - nytprof.h: functions for hosts. Errors raised by Lua end here. */
#include <stdio.h>

#include "lua/glue.h"
#include "lua/nytprof.h"

typedef struct request {
    const char *options;
    nytp_error e;
} request;

static int attach(lua_State *L) {
    request *r = lua_touserdata(L, 1);
    nytp_options o;
    if (nytp_settings_begin(&o, &r->e) || (r->options && nytp_settings_text(&o, r->options, &r->e)))
        nytp_options_free(&o);
    else nytp_lua_life_start(L, &o, &r->e);
    return 0;
}

static int detach(lua_State *L) {
    nytp_lua_life_stop(L);
    return 0;
}

static int halt(lua_State *L) {
    nytp_lua_life_pause(L);
    return 0;
}

static int go_on(lua_State *L) {
    request *r = lua_touserdata(L, 1);
    nytp_lua_life_resume(L, &r->e);
    return 0;
}

/* Calls a function above, which uses no Lua code, so that no hook of ours sees it. Returns the error's code. */
static int ask(lua_State *L, lua_CFunction what, request *r) {
    if (!lua_checkstack(L, LUA_MINSTACK)) return nytp_error_set(&r->e, NYTP_NOMEM, "out of memory");
    lua_pushcfunction(L, what);
    lua_pushlightuserdata(L, r);
    if (lua_pcall(L, 1, 0, 0) == LUA_OK) return r->e.code;
    nytp_error_set(&r->e, NYTP_NOMEM, "%s", lua_isstring(L, -1) ? lua_tostring(L, -1) : "Lua has raised an error");
    lua_pop(L, 1);
    return r->e.code;
}

static int tell(const request *r, char *message, size_t room) {
    if (r->e.code && message && room) snprintf(message, room, "NYTProf: %s", r->e.text);
    return r->e.code;
}

int nytprof_attach(lua_State *L, const char *options, char *message, size_t room) {
    request r = {.options = options};
    ask(L, attach, &r);
    return tell(&r, message, room);
}

void nytprof_detach(lua_State *L) {
    request r = {0};
    nytp_lua *g = lua_checkstack(L, 1) ? nytp_lua_life_of(L) : NULL;
    if (g) nytp_gate_count_lost(g, L); /* later coroutines on the host's stack are out of reach */
    ask(L, detach, &r);
}

void nytprof_pause(lua_State *L) {
    request r = {0};
    ask(L, halt, &r);
}

int nytprof_resume(lua_State *L, char *message, size_t room) {
    request r = {0};
    ask(L, go_on, &r);
    return tell(&r, message, room);
}
