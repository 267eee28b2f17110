/* SPDX-License-Identifier: MIT */
/* preload.c - profiles programs without a change to them: LD_PRELOAD=nytprof-preload.so PROGRAM, where Lua's library is
 * a shared one.
 *
 * The library's functions that load code are intercepted here: a state first loads code when its libraries are open and
 * before any code runs. States of another version are left alone, and so are programs without Lua: no symbol is looked
 * up until a state loads code. A process must have one Lua library only. */
#define _GNU_SOURCE 1 /* RTLD_NEXT. NOLINT(bugprone-reserved-identifier): that is its name */

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* State of the process. Symbols that are bound in a library keep it loaded. */
static atomic_int is_bound; /* 1: this library has met a Lua of its version, which stays */

/* A symbol that is missing takes the loader microseconds, and some programs load a text for each request. */
static int is_ours(lua_State *L) {
    if (is_bound) return VERSION_OF(L) == LUA_VERSION_NUM;
    return dlsym(RTLD_DEFAULT, PECULIAR) && dlsym(RTLD_DEFAULT, "lua_isyieldable") && VERSION_OF(L) == LUA_VERSION_NUM;
}

/* A script that requires the module gets this one. */
static int mark_seen(lua_State *L) {
    lua_pushboolean(L, 1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &seen);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, "_PRELOAD");
    lua_pushcfunction(L, luaopen_nytprof);
    lua_setfield(L, -2, "nytprof");
    return 0;
}

/* ---- messages of a run without a profile ---- */

NYTPROF_API int nytprof_preload_has_met(void);

/* State of the process. Two libraries may be preloaded: the last one reports for both. */
static int has_met; /* 1: a state was met, profiled or reported */
static int has_forked;
static struct stat errors; /* standard error at the start: later the descriptor may be another file */

int nytprof_preload_has_met(void) { return has_met; }

/* Calls what dlsym has found. */
static int says(void *found) {
    int (*function)(void);
    memcpy(&function, &found, sizeof found);
    return found && function();
}

static int first_says(const char *name) {
    void *program = dlopen(NULL, RTLD_LAZY), *found = program ? dlsym(program, name) : NULL;
    if (program) dlclose(program);
    return says(found);
}

static int has_any_met(void) { return has_met || first_says("nytprof_preload_has_met"); }

static int is_last(void) { return !dlsym(RTLD_NEXT, "nytprof_preload_has_met"); }

static void say(const char *format, const char *what) {
    struct stat now;
    if (fstat(STDERR_FILENO, &now) || now.st_dev != errors.st_dev || now.st_ino != errors.st_ino) return;
    dprintf(STDERR_FILENO, format, what);
}

static void meet_another(void) {
    if (has_met || !is_last() || has_any_met()) return;
    has_met = 1;
    say("NYTProf: this program is not profiled: it has %s in it, expected Lua 5.4 or 5.3\n",
        nytp_gate_has("lua_newuserdatauv") ? "Lua 5.4"
        : nytp_gate_has("lua_isyieldable") ? "Lua 5.3"
        : nytp_gate_has("luaJIT_setmode")  ? "LuaJIT"
        : nytp_gate_has("lua_callk")       ? "Lua 5.2"
                                           : "Lua 5.1");
}

static void note_fork(void) { has_forked = 1; }

static __attribute__((constructor)) void begin(void) {
    if (fstat(STDERR_FILENO, &errors)) memset(&errors, 0, sizeof errors);
    pthread_atfork(NULL, note_fork, note_fork);
}

/* Only in the program that `nytprof run` has started, not in its children. */
static __attribute__((destructor)) void end(void) {
    const char *run = getenv("NYTPROF_PRELOAD");
    long pid = run ? strtol(run, NULL, 10) : 0;
    if (pid != getpid() || has_forked) return;
    if (is_last() && !has_any_met()) say("NYTProf: there is no profile: no Lua 5.4 or 5.3 has run%s\n", "");
}

/* ---- Lua's functions ---- */

/* Once in a state's life: a profiler that was stopped is not started again. */
static void begin_state(lua_State *L) {
    char message[NYTP_ERROR_TEXT];
    if (!lua_checkstack(L, LUA_MINSTACK)) return;
    has_met = 1;
    int is_known = lua_rawgetp(L, LUA_REGISTRYINDEX, &seen) != LUA_TNIL;
    lua_pop(L, 1);
    if (is_known) return;
    lua_pushcfunction(L, mark_seen);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) lua_pop(L, 1);
    else if (!nytp_lua_life_of(L) && nytprof_attach(L, NULL, message, sizeof message)) fprintf(stderr, "%s\n", message);
}

NYTPROF_API int nytprof_preload_is_bound(void);

int nytprof_preload_is_bound(void) { return is_bound; }

/* 1 if the library that is preloaded before or after this one has met its Lua, the only one of the process. */
static int is_for_another(void) {
    static atomic_int is_known;
    const char *name = "nytprof_preload_is_bound";
    if (!is_known && (first_says(name) || says(dlsym(RTLD_NEXT, name)))) is_known = 1;
    return is_known;
}

/* Returns 1 if Lua's own functions may be cached, as its library stays loaded. One of another version may be unloaded
 * with its plug-in: its functions are looked up each time. */
static int meet(lua_State *L) {
    if (!is_bound && is_for_another()) return 1;
    if (is_ours(L)) {
        begin_state(L);
        is_bound = 1;
        return 1;
    }
    meet_another();
    return 0;
}

typedef int load_reader(lua_State *, lua_Reader, void *, const char *, const char *);
typedef int load_buffer(lua_State *, const char *, size_t, const char *, const char *);
typedef int load_file(lua_State *, const char *, const char *);
typedef int load_string(lua_State *, const char *);

int lua_load(lua_State *L, lua_Reader reader, void *data, const char *name, const char *mode) {
    static load_reader *_Atomic known;
    load_reader *load = known;
    if (!load) nytp_gate_find("lua_load", &load);
    if (meet(L)) known = load;
    return load(L, reader, data, name, mode);
}

int luaL_loadbufferx(lua_State *L, const char *text, size_t size, const char *name, const char *mode) {
    static load_buffer *_Atomic known;
    load_buffer *load = known;
    if (!load) nytp_gate_find("luaL_loadbufferx", &load);
    if (meet(L)) known = load;
    return load(L, text, size, name, mode);
}

int luaL_loadfilex(lua_State *L, const char *file, const char *mode) {
    static load_file *_Atomic known;
    load_file *load = known;
    if (!load) nytp_gate_find("luaL_loadfilex", &load);
    if (meet(L)) known = load;
    return load(L, file, mode);
}

int luaL_loadstring(lua_State *L, const char *text) {
    static load_string *_Atomic known;
    load_string *load = known;
    if (!load) nytp_gate_find("luaL_loadstring", &load);
    if (meet(L)) known = load;
    return load(L, text);
}
