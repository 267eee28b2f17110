/* SPDX-License-Identifier: MIT */
/* name.c - names of functions. Lua's functions have no names: the name is that of a module's field, or else the name
 * used in the call. */
#include <stdio.h>
#include <string.h>

#include "lua/glue.h"
#include "record/subs.h"

#define NAME_MAX_LENGTH 256

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* A global such as print is preferred to a module's field; else the alphabetically first, since Lua's order changes. */
static void take_if_better(char *best, const char *module, const char *field) {
    char name[NAME_MAX_LENGTH];
    if (strcmp(module, "_G") == 0) snprintf(name, sizeof name, "%s", field);
    else snprintf(name, sizeof name, "%s%s%s", module, *field ? "." : "", field);
    int is_global = !strchr(name, '.'), was_global = *best && !strchr(best, '.');
    if (!*best || is_global > was_global || (is_global == was_global && strcmp(name, best) < 0)) strcpy(best, name);
}

/* Stack: ... function loaded name module. */
static void look_into_module(lua_State *L, int function, char *best) {
    const char *module = lua_tostring(L, -2);
    if (lua_rawequal(L, -1, function)) take_if_better(best, module, "");
    if (!lua_istable(L, -1)) return;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        if (lua_type(L, -2) == LUA_TSTRING && lua_rawequal(L, -1, function))
            take_if_better(best, module, lua_tostring(L, -2));
}

/* The function's name in package.loaded, empty if it has none. */
static void find_in_modules(lua_State *L, lua_Debug *ar, char *best) {
    int before = lua_gettop(L);
    *best = 0;
    if (!lua_checkstack(L, 8)) return;
    lua_getinfo(L, "f", ar);
    lua_pushliteral(L, "_LOADED");
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1))
        for (lua_pushnil(L); lua_next(L, before + 2); lua_pop(L, 1))
            if (lua_type(L, -2) == LUA_TSTRING) look_into_module(L, before + 1, best);
    lua_settop(L, before);
}

/* ---- C functions that neither a module nor a call names, as Lua's C code calls them: package.searchers[2] ---- */

#define MOST_FIELDS 20000 /* looked at: a program may have large tables */

typedef struct search {
    lua_State *L;
    int function; /* its index in the stack */
    int fields;   /* looked at so far */
    char *best;
} search;

/* Stack: ... copy of a key, which becomes a string. Returns 0 for a key that makes no name. What is in a metatable's
 * __index is the object's own. */
static int put_key(lua_State *L, char *name, size_t n, const char *of) {
    int is_number = lua_type(L, -1) == LUA_TNUMBER;
    const char *text = lua_tostring(L, -1);
    if (!text) return 0;
    if (is_number) snprintf(name, n, "%.100s[%.100s]", of, text);
    else if (strcmp(text, "__index") == 0) snprintf(name, n, "%.200s", of);
    else snprintf(name, n, "%.100s.%.100s", of, text);
    return 1;
}

/* Stack: ... table. Looks at the fields of the table, and of tables in it as far down as depth says. */
static void look_below(search *s, const char *of, int depth) {
    char name[NAME_MAX_LENGTH];
    for (lua_pushnil(s->L); lua_next(s->L, -2); lua_pop(s->L, 1)) {
        if (s->fields++ >= MOST_FIELDS) {
            lua_pop(s->L, 2);
            return;
        }
        int is_it = lua_rawequal(s->L, -1, s->function), is_table = depth && lua_istable(s->L, -1);
        if (!is_it && !is_table) continue;
        lua_pushvalue(s->L, -2);
        int has_name = put_key(s->L, name, sizeof name, of);
        lua_pop(s->L, 1);
        if (has_name && is_it) take_if_better(s->best, name, "");
        else if (has_name) look_below(s, name, depth - 1);
    }
}

/* Stack: ... table of tables by names. What C libraries keep in the registry for themselves begins with _. */
static void look_into_all(search *s, int depth) {
    for (lua_pushnil(s->L); lua_next(s->L, -2); lua_pop(s->L, 1)) {
        int has_name = lua_istable(s->L, -1) && lua_type(s->L, -2) == LUA_TSTRING;
        const char *name = has_name ? lua_tostring(s->L, -2) : "_";
        if (*name != '_') look_below(s, name, depth);
    }
}

/* In the tables of modules, and in the metatables of C's objects and in those' __index. */
static void find_in_tables(lua_State *L, lua_Debug *ar, char *best) {
    int before = lua_gettop(L);
    search s = {.L = L, .function = before + 1, .best = best};
    if (!lua_checkstack(L, 16)) return;
    lua_getinfo(L, "f", ar);
    lua_pushliteral(L, "_LOADED");
    lua_rawget(L, LUA_REGISTRYINDEX);
    if (lua_istable(L, -1)) look_into_all(&s, 1);
    lua_settop(L, before + 1);
    lua_pushvalue(L, LUA_REGISTRYINDEX);
    if (!*best) look_into_all(&s, 1);
    lua_settop(L, before);
}

/* ---- the name ---- */

/* The place as in Lua's messages, and the number among the functions on these lines. */
static void put_where(const nytp_function *f, const lua_Debug *ar, char *name, const char *prefix) {
    char nth[16] = "";
    if (f->nth > 1) snprintf(nth, sizeof nth, "#%u", (unsigned)f->nth);
    snprintf(name, NAME_MAX_LENGTH, "%s<%.150s:%d%s>", prefix, base_of(f->chunk->file->name.p), ar->linedefined, nth);
}

/* What Lua says of a value's key in a table that is not in the code, as in t[i](), is no name. */
static void put_call_name(lua_State *L, lua_Debug *ar, char *name) {
    *name = 0;
    if (!lua_getinfo(L, "n", ar) || !ar->name || !*ar->namewhat) return;
    if (strcmp(ar->name, "?") != 0 && strcmp(ar->name, "integer index") != 0)
        snprintf(name, NAME_MAX_LENGTH, "%.64s", ar->name);
}

static void put_name(const nytp_lua *g, lua_State *L, lua_Debug *ar, const nytp_function *f, char *name) {
    if (f->chunk && *ar->what == 'm') {
        snprintf(name, NAME_MAX_LENGTH, "<%.160s>", base_of(f->chunk->file->name.p));
        return;
    }
    find_in_modules(L, ar, name);
    if (f->role == NYTP_ROLE_WRAPPED) strcpy(name, "(coroutine.wrap)"); /* one name for all closures that it returns */
    if (!*name) put_call_name(L, ar, name);
    if (!*name && f->chunk) put_where(f, ar, name, "");
    if (!*name) find_in_tables(L, ar, name);
    if (!*name) strcpy(name, "<C>");
    if (f->chunk && nytp_subs_named(&g->r, nytp_str_c(name))) {
        char prefix[65];
        snprintf(prefix, sizeof prefix, "%.64s", name);
        put_where(f, ar, name, prefix);
    }
}

nytp_live_sub *nytp_lua_name_sub(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_function *f) {
    char name[NAME_MAX_LENGTH];
    nytp_rec_sub what = {0};
    nytp_subkey key = {.body = f};
    put_name(g, L, ar, f, name);
    what.name = nytp_str_c(name);
    what.flags = f->chunk ? 0 : NYTP_SUB_XSUB;
    if (f->chunk) {
        what.file = f->chunk->file->id;
        what.first_line = ar->linedefined > 0 ? (uint64_t)ar->linedefined : 1;
        what.last_line = ar->lastlinedefined > 0 ? (uint64_t)ar->lastlinedefined : what.first_line;
    }
    return nytp_subs_add(&g->r, key, &what);
}

/* Of Lua's own libraries only some functions wait, and writing rarely does. Other C functions may wait. */
int nytp_lua_name_may_wait(nytp_str name) {
    static const char *const quick_libraries[] = {"string.", "table.", "math.", "utf8.", "coroutine.", "debug.", "os."};
    static const char *const quick[] = {
        "assert", "collectgarbage", "error", "for iterator", "getmetatable", "io.open", "io.type", "io.write", "ipairs",
        "load", "loadfile", "next", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
        "select", "setmetatable", "tonumber", "tostring", "type", "warn", "write", "xpcall"};
    if (nytp_str_eq(name, NYTP_LIT("os.execute"))) return 1;
    for (size_t i = 0; i < sizeof quick_libraries / sizeof *quick_libraries; i++)
        if (nytp_str_starts(name, nytp_str_c(quick_libraries[i]))) return 0;
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        if (nytp_str_eq(name, nytp_str_c(quick[i]))) return 0;
    return 1;
}
