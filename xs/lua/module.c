/* SPDX-License-Identifier: MIT */
/* module.c - the module of `require "nytprof"`: start, stop, pause, resume, mark, count, span. */
#include <stdlib.h>
#include <string.h>

#include "lua/glue.h"
#include "lua/nytprof.h"

/* Options from NYTPROF and from the table at that index, if it is one. */
static int read_options(lua_State *L, int table, nytp_options *o, nytp_error *e) {
    if (!table) return nytp_settings_begin(o, e);
    if (nytp_settings_begin_now(o, e)) return e->code;
    return nytp_lua_settings_table(o, L, table, e);
}

static void start(lua_State *L, int table) {
    nytp_options o;
    nytp_error e = {0};
    if (read_options(L, table, &o, &e)) nytp_options_free(&o);
    else nytp_lua_life_start(L, &o, &e);
    if (e.code) luaL_error(L, "NYTProf: %s", e.text);
}

static int lua_start(lua_State *L) {
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    start(L, 1);
    return 0;
}

static int lua_stop(lua_State *L) {
    nytp_lua_life_stop(L);
    return 0;
}

static int lua_pause(lua_State *L) {
    nytp_lua_life_pause(L);
    return 0;
}

static int lua_resume_profile(lua_State *L) {
    nytp_error e = {0};
    if (nytp_lua_life_resume(L, &e)) return luaL_error(L, "NYTProf: %s", e.text);
    return 0;
}

/* 1 if required before the program: by -l, LUA_INIT or a host. Otherwise the program calls start. */
static int is_before_program(lua_State *L) {
    lua_Debug ar;
    for (int level = 0; lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "S", &ar);
        if (*ar.what != 'C' && !nytp_is_init(&ar)) return 0;
    }
    return 1;
}

/* Checks Lua's version by functions that exist in it only. They are looked up by name, as a weak symbol is resolved
 * once, when this library is loaded, perhaps before Lua. */
static int is_right(void) {
    return LUA_VERSION_NUM >= 504 ? nytp_gate_has("lua_newuserdatauv")
                                  : nytp_gate_has("lua_newuserdata") && nytp_gate_has("lua_rotate");
}

static const char *version_here(void) {
    if (nytp_gate_has("lua_rotate")) return LUA_VERSION_NUM >= 504 ? "Lua 5.3" : "Lua 5.4 or newer";
    return nytp_gate_has("luaJIT_setmode") ? "LuaJIT" : nytp_gate_has("lua_callk") ? "Lua 5.2" : "Lua 5.1";
}

int luaopen_nytprof(lua_State *L) {
    static const luaL_Reg functions[] = {
        {"start", lua_start}, {"stop", lua_stop}, {"pause", lua_pause}, {"resume", lua_resume_profile},
        {"mark", nytp_lua_timed_mark}, {"count", nytp_lua_timed_count}, {"span", nytp_lua_timed_span}, {NULL, NULL}};
    if (!is_right()) return luaL_error(L, "NYTProf: this module is for " LUA_VERSION ", not for %s", version_here());
    luaL_checkversion(L);
    if (!nytp_lua_life_of(L) && (is_before_program(L) || getenv("NYTPROF"))) start(L, 0);
    luaL_newlib(L, functions);
    return 1;
}
