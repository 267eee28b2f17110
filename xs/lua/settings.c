/* SPDX-License-Identifier: MIT */
/* settings.c - options from a table, over those of the variable NYTPROF. */
#include "lua/glue.h"

static int set_pair(nytp_options *o, lua_State *L, nytp_error *e) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
    const char *value = NULL;
    if (!name) return nytp_error_set(e, NYTP_USAGE, "an option's name is a string, not a %s", luaL_typename(L, -2));
    if (lua_isboolean(L, -1)) value = lua_toboolean(L, -1) ? "1" : "0";
    if (lua_isstring(L, -1)) {
        lua_pushvalue(L, -1); /* lua_tostring converts in place, which would confuse lua_next */
        value = lua_tostring(L, -1);
        lua_replace(L, -2);
    }
    if (!value)
        return nytp_error_set(e, NYTP_USAGE, "option %.200s cannot be a %s, expected a string, a number or a boolean",
                              name, luaL_typename(L, -1));
    return nytp_settings_set(o, name, value, e);
}

int nytp_lua_settings_table(nytp_options *o, lua_State *L, int index, nytp_error *e) {
    lua_pushvalue(L, index);
    lua_pushnil(L);
    while (!e->code && lua_next(L, -2)) {
        set_pair(o, L, e);
        lua_pop(L, 1);
    }
    lua_pop(L, e->code ? 2 : 1);
    return e->code;
}
