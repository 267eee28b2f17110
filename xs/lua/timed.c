/* SPDX-License-Identifier: MIT */
/* timed.c - marks, counts and spans, as the program calls for them. A span is a userdata with an nytp_begun, which is
 * overwritten when the span ends; the collector ends none, as it comes at any time. */
#include <errno.h>

#include "lua/glue.h"
#include "record/spans.h"

#define SPAN "nytprof.span" /* key of its metatable */

/* NULL: nothing is recorded now. */
static nytp_recorder *recorder_of(lua_State *L) {
    nytp_lua *g = nytp_lua_life_of(L);
    return g && nytp_is_on(&g->r) ? &g->r : NULL;
}

/* Calls no code of the program. What is no string or number is known by its type. */
static nytp_str name_of(lua_State *L) {
    nytp_str name;
    lua_settop(L, 2);
    lua_pushvalue(L, 1); /* a number becomes a string in place */
    name.p = lua_tolstring(L, -1, &name.n);
    return name.p ? name : nytp_str_c(luaL_typename(L, 1));
}

int nytp_lua_timed_mark(lua_State *L) {
    int saved = errno;
    nytp_recorder *r = recorder_of(L);
    nytp_str name = name_of(L);
    int64_t now = r ? nytp_now(r) : 0;
    if (r && nytp_spans_mark(r, name, now)) nytp_flush(r, now);
    errno = saved;
    return 0;
}

int nytp_lua_timed_count(lua_State *L) {
    int saved = errno;
    nytp_recorder *r = recorder_of(L);
    nytp_str name = name_of(L);
    int64_t n = lua_isnoneornil(L, 2) ? 1 : (int64_t)lua_tointegerx(L, 2, NULL);
    if (r) nytp_spans_count(r, name, n);
    errno = saved;
    return 0;
}

static int finish(lua_State *L) {
    int saved = errno;
    nytp_begun *span = luaL_testudata(L, 1, SPAN);
    nytp_recorder *r = span && span->era ? recorder_of(L) : NULL;
    if (r) nytp_spans_end(r, *span);
    if (span) span->era = 0;
    errno = saved;
    return 0;
}

/* Pushes the metatable of spans. */
static void push_class(lua_State *L) {
    if (!luaL_newmetatable(L, SPAN)) return;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, finish);
    lua_pushvalue(L, -1);
    lua_setfield(L, -4, "__close");
    lua_setfield(L, -2, "finish");
    lua_setfield(L, -2, "__index");
}

int nytp_lua_timed_span(lua_State *L) {
    int saved = errno;
    nytp_recorder *r = recorder_of(L);
    nytp_str name = name_of(L);
    nytp_begun *span = lua_newuserdata(L, sizeof *span);
    *span = (nytp_begun){0};
    push_class(L);
    lua_setmetatable(L, -2);
    if (r) *span = nytp_spans_begin(r, name);
    errno = saved;
    return 1;
}
