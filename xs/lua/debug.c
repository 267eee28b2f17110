/* SPDX-License-Identifier: MIT */
/* debug.c - debug.sethook and debug.gethook for the program, while our hook occupies Lua's one hook of a thread.
 *
 * They do what Lua's own do, but the program's function is called from our hook. A table in Lua's registry has for each
 * thread, by weak key, {function, mask as in lua_sethook, count}. */
#include <string.h>

#include "lua/glue.h"

static const char hooks_key = 0, originals_key = 0;

static void push_hooks(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hooks_key);
    if (lua_istable(L, -1)) return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &hooks_key);
}

/* Pushes the entry of thread T, which need not be L; 0 and nothing if there is none. */
static int push_entry(lua_State *L, lua_State *T) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &hooks_key);
    if (lua_istable(L, -1)) {
        lua_pushthread(T);
        if (T != L) lua_xmove(T, L, 1);
        lua_rawget(L, -2);
        lua_remove(L, -2);
        if (lua_istable(L, -1)) return 1;
    }
    lua_pop(L, 1);
    return 0;
}

static int integer_at(lua_State *L, int i) {
    lua_rawgeti(L, -1, i);
    int n = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return n;
}

/* Whether the host has replaced or removed the program's hook. */
static int is_hosts(nytp_lua *g, lua_State *T) {
    const nytp_thread *t = g && g->has_hosts ? nytp_stack_known(g, T) : NULL;
    return t && t->is_hosts;
}

int nytp_debug_mask(nytp_lua *g, lua_State *L, lua_State *T, int *count) {
    int mask = 0;
    *count = 0;
    if (is_hosts(g, T) || !lua_checkstack(L, 4) || !lua_checkstack(T, 1) || !push_entry(L, T)) return 0;
    mask = integer_at(L, 2);
    *count = integer_at(L, 3);
    lua_pop(L, 1);
    return mask;
}

void nytp_debug_call(nytp_lua *g, lua_State *L, const lua_Debug *ar) {
    static const char *const names[] = {"call", "return", "line", "count", "tail call"};
    int bit = ar->event == LUA_HOOKTAILCALL ? LUA_MASKCALL : 1 << ar->event;
    if (is_hosts(g, L) || !push_entry(L, L)) return;
    if (integer_at(L, 2) & bit) {
        lua_rawgeti(L, -1, 1);
        lua_pushstring(L, names[ar->event]);
        if (ar->event == LUA_HOOKLINE && ar->currentline >= 0) lua_pushinteger(L, ar->currentline);
        else lua_pushnil(L);
        lua_call(L, 2, 0);
    }
    lua_pop(L, 1);
}

/* ---- functions for the program ---- */

static lua_State *thread_argument(lua_State *L, int *arg) {
    *arg = lua_isthread(L, 1) ? 1 : 0;
    return *arg ? lua_tothread(L, 1) : L;
}

static int mask_of(const char *text, int count) {
    int mask = count > 0 ? LUA_MASKCOUNT : 0;
    if (strchr(text, 'c')) mask |= LUA_MASKCALL;
    if (strchr(text, 'r')) mask |= LUA_MASKRET;
    if (strchr(text, 'l')) mask |= LUA_MASKLINE;
    return mask;
}

/* Stack: ... function. Takes it off and makes it T's hook; with mask 0 T has none. */
static void set_entry(lua_State *L, lua_State *T, int mask, int count) {
    push_hooks(L);
    luaL_checkstack(T, 1, NULL);
    lua_pushthread(T);
    if (T != L) lua_xmove(T, L, 1);
    if (mask) {
        lua_createtable(L, 3, 0);
        lua_pushvalue(L, -4);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, mask);
        lua_rawseti(L, -2, 2);
        lua_pushinteger(L, count);
        lua_rawseti(L, -2, 3);
    } else {
        lua_pushnil(L);
    }
    lua_rawset(L, -3);
    lua_pop(L, 2);
}

/* Lua 5.4 keeps the functions in a table of the registry, where programs can see them. Stack: ... function. */
static void show_function(lua_State *L, lua_State *T) {
    lua_getfield(L, LUA_REGISTRYINDEX, "_HOOKKEY");
    if (!lua_istable(L, -1)) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, "_HOOKKEY");
        lua_pushliteral(L, "k");
        lua_setfield(L, -2, "__mode");
        lua_pushvalue(L, -1);
        lua_setmetatable(L, -2);
    }
    luaL_checkstack(T, 1, NULL);
    lua_pushthread(T);
    if (T != L) lua_xmove(T, L, 1);
    lua_pushvalue(L, -3);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

static int sethook(lua_State *L) {
    int arg, count = 0, mask = 0;
    lua_State *T = thread_argument(L, &arg);
    if (lua_isnoneornil(L, arg + 1)) {
        lua_settop(L, arg + 1);
    } else {
        const char *text = luaL_checkstring(L, arg + 2);
        luaL_checktype(L, arg + 1, LUA_TFUNCTION);
        count = (int)luaL_optinteger(L, arg + 3, 0);
        mask = mask_of(text, count);
    }
    lua_pushvalue(L, arg + 1);
    if (LUA_VERSION_NUM >= 504) show_function(L, T);
    set_entry(L, T, mask, count);
    nytp_lua *g = nytp_lua_life_of(L);
    if (is_hosts(g, T)) nytp_gate_forget(g, T);
    if (g && mask) nytp_after_add(g, NYTP_AFTER_PROGRAM);
    if (g) nytp_hook_set(g, T);
    return 0;
}

static void push_mask(lua_State *L, int mask) {
    char text[4];
    size_t n = 0;
    if (mask & LUA_MASKCALL) text[n++] = 'c';
    if (mask & LUA_MASKRET) text[n++] = 'r';
    if (mask & LUA_MASKLINE) text[n++] = 'l';
    lua_pushlstring(L, text, n);
}

/* The result of Lua's gethook for a hook that is no Lua function. */
static int host_hook(lua_State *L, lua_State *T) {
    lua_Hook hook = lua_gethook(T);
    if (hook) lua_pushliteral(L, "external hook");
    else lua_pushnil(L);
    if (!hook && LUA_VERSION_NUM >= 504) return 1;
    push_mask(L, lua_gethookmask(T));
    lua_pushinteger(L, lua_gethookcount(T));
    return 3;
}

static int gethook(lua_State *L) {
    int arg;
    lua_State *T = thread_argument(L, &arg);
    nytp_lua *g = nytp_lua_life_of(L);
    if (is_hosts(g, T) || lua_gethook(T)) return host_hook(L, T);
    luaL_checkstack(T, 1, NULL);
    int found = push_entry(L, T);
    int mask = found ? integer_at(L, 2) : 0, count = found ? integer_at(L, 3) : 0;
    if (found) {
        lua_rawgeti(L, -1, 1);
    } else {
        lua_pushnil(L);
        if (LUA_VERSION_NUM >= 504) return 1;
    }
    push_mask(L, mask);
    lua_pushinteger(L, count);
    return 3;
}

/* ---- in place of Lua's own ---- */

/* Pushes package.loaded.debug; 0 and nothing if there is none. */
static int push_library(lua_State *L) {
    lua_pushliteral(L, "_LOADED");
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1)) {
        lua_pushliteral(L, "debug");
        lua_rawget(L, -2);
        lua_remove(L, -2);
        if (lua_istable(L, -1)) return 1;
    }
    lua_pop(L, 1);
    return 0;
}

/* Stack: ... library. The original goes into the table on top. */
static void replace(lua_State *L, const char *name, lua_CFunction function) {
    lua_getfield(L, -2, name);
    lua_setfield(L, -2, name);
    lua_pushcfunction(L, function);
    lua_setfield(L, -3, name);
}

/* A hook that the program has set before stays: Lua's own gethook knows it. Stack: ... originals. */
static void take_over_hook(nytp_lua *g, lua_State *L) {
    if (nytp_gate_hook(L) == NULL || nytp_hook_is_ours(nytp_gate_hook(L))) return;
    int before = lua_gettop(L);
    lua_getfield(L, -1, "gethook");
    if (lua_pcall(L, 0, 3, 0) == LUA_OK && lua_isfunction(L, -3)) {
        int count = (int)lua_tointeger(L, -1), mask = mask_of(lua_tostring(L, -2), count);
        lua_pushvalue(L, -3);
        set_entry(L, L, mask, count);
        nytp_after_add(g, NYTP_AFTER_PROGRAM);
    }
    lua_settop(L, before);
}

void nytp_debug_install(nytp_lua *g, lua_State *L) {
    if (!push_library(L)) return;
    lua_newtable(L);
    replace(L, "sethook", sethook);
    replace(L, "gethook", gethook);
    take_over_hook(g, L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &originals_key);
    lua_pop(L, 1);
}

/* Stack: ... library originals. Does nothing if the program has replaced ours. */
static void put_back(lua_State *L, const char *name, lua_CFunction ours) {
    lua_getfield(L, -2, name);
    int is_ours = lua_tocfunction(L, -1) == ours;
    lua_pop(L, 1);
    if (!is_ours) return;
    lua_getfield(L, -1, name);
    lua_setfield(L, -3, name);
}

/* Stack: ... originals. The current thread's hook becomes Lua's own again. */
static void hand_back_hook(lua_State *L) {
    if (!push_entry(L, L)) return;
    int mask = integer_at(L, 2), count = integer_at(L, 3);
    lua_getfield(L, -2, "sethook");
    lua_rawgeti(L, -2, 1);
    push_mask(L, mask);
    lua_pushinteger(L, count);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK) lua_pop(L, 1);
    lua_pop(L, 1);
}

void nytp_debug_remove(lua_State *L) {
    if (!push_library(L)) return;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &originals_key);
    if (lua_istable(L, -1)) {
        put_back(L, "sethook", sethook);
        put_back(L, "gethook", gethook);
        hand_back_hook(L);
    }
    lua_pop(L, 2);
}
