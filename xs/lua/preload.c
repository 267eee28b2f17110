/* preload.c - profiles programs that know nothing of it: LD_PRELOAD=nytprof-preload.so PROGRAM, where Lua's library is
 * a shared one.
 *
 * The library's functions that load code are caught here, before its own: what a state loads first comes when its
 * libraries are there and before anything of it runs. States of another version are left alone, and so are programs
 * without Lua: nothing of it is looked for until a state loads something. There has to be one Lua in a process. */
#define _GNU_SOURCE 1 /* RTLD_NEXT. NOLINT(bugprone-reserved-identifier): that is its name */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "lua/glue.h"
#include "lua/nytprof.h"

NYTPROF_API int lua_load(lua_State *L, lua_Reader reader, void *data, const char *name, const char *mode);
NYTPROF_API int luaL_loadbufferx(lua_State *L, const char *text, size_t size, const char *name, const char *mode);
NYTPROF_API int luaL_loadfilex(lua_State *L, const char *file, const char *mode);
NYTPROF_API int luaL_loadstring(lua_State *L, const char *text);

static const char seen = 0; /* its address is the key in a state's registry */

/* Versions differ in what lua_version returns: a function that only this one has must come first. */
#if LUA_VERSION_NUM >= 504
#define PECULIAR "lua_setwarnf"
#define VERSION_OF(L) lua_version(L)
#else
#define PECULIAR "lua_newuserdata"
#define VERSION_OF(L) *lua_version(L)
#endif

static int is_ours(lua_State *L) {
    return dlsym(RTLD_DEFAULT, PECULIAR) && dlsym(RTLD_DEFAULT, "lua_isyieldable") && VERSION_OF(L) == LUA_VERSION_NUM;
}

/* A script that requires the module shall get this one. */
static int mark_seen(lua_State *L) {
    lua_pushboolean(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &seen);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "_PRELOAD");
    lua_pushcfunction(L, luaopen_nytprof);
    lua_setfield(L, -2, "nytprof");
    return 0;
}

/* Once in a state's life: whoever stops the profiler has it stopped. */
static void meet(lua_State *L) {
    char message[NYTP_ERROR_TEXT];
    if (!is_ours(L) || !lua_checkstack(L, LUA_MINSTACK)) return;
    int is_known = lua_rawgetp(L, LUA_REGISTRYINDEX, &seen) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_known) return;
    lua_pushcfunction(L, mark_seen);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
    else if (!nytp_life_of(L) && nytprof_attach(L, NULL, message, sizeof message)) fprintf(stderr, "%s\n", message);
}

int lua_load(lua_State *L, lua_Reader reader, void *data, const char *name, const char *mode) {
    int (*load)(lua_State *, lua_Reader, void *, const char *, const char *);
    nytp_gate_find("lua_load", &load);
    meet(L);
    return load(L, reader, data, name, mode);
}

int luaL_loadbufferx(lua_State *L, const char *text, size_t size, const char *name, const char *mode) {
    int (*load)(lua_State *, const char *, size_t, const char *, const char *);
    nytp_gate_find("luaL_loadbufferx", &load);
    meet(L);
    return load(L, text, size, name, mode);
}

int luaL_loadfilex(lua_State *L, const char *file, const char *mode) {
    int (*load)(lua_State *, const char *, const char *);
    nytp_gate_find("luaL_loadfilex", &load);
    meet(L);
    return load(L, file, mode);
}

int luaL_loadstring(lua_State *L, const char *text) {
    int (*load)(lua_State *, const char *);
    nytp_gate_find("luaL_loadstring", &load);
    meet(L);
    return load(L, text);
}
