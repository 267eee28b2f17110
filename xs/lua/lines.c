/* SPDX-License-Identifier: MIT */
/* lines.c - the lines of a function's code, whether they run or not.
 *
 * Lua puts them into a table, which the program would see in its use of memory. So a copy of the function is loaded
 * into a Lua of our own, and asked there. That is loaded by Lua's own lua_load: a preloaded one would profile it. */
#include <stdlib.h>

#include "lua/glue.h"
#include "record/marks.h"

static void *allocate(void *self, void *block, size_t osize, size_t nsize) {
    (void)self;
    (void)osize;
    if (nsize) return realloc(block, nsize);
    free(block);
    return NULL;
}

static int add_piece(lua_State *L, const void *piece, size_t n, void *code) {
    (void)L;
    nytp_buf_bytes(code, piece, n);
    return ((nytp_buf *)code)->failed != 0;
}

/* Argument: a function, which stays on the stack: Lua 5.3 would free it while it makes the table, if memory is short.
 * Returns the table of its lines. */
static int lines_of(lua_State *L) {
    lua_Debug ar;
    lua_pushvalue(L, 1);
    lua_getinfo(L, ">L", &ar);
    return 1;
}

/* The whole code is the first piece. */
static const char *read_piece(lua_State *L, void *code, size_t *n) {
    const nytp_str *rest = code;
    const char *piece = rest->n ? rest->p : NULL;
    (void)L;
    *n = rest->n;
    ((nytp_str *)code)->n = 0;
    return piece;
}

static void mark(nytp_lua *g, lua_State *own, nytp_str code, nytp_live_file *file) {
    lua_pushcfunction(own, lines_of);
    if (g->own_load(own, read_piece, &code, "=", "b") == LUA_OK && lua_pcall(own, 1, 1, 0) == LUA_OK &&
        lua_istable(own, -1))
        for (lua_pushnil(own); lua_next(own, -2); lua_pop(own, 1))
            nytp_marks_add(&g->r, file, (uint32_t)lua_tointeger(own, -2));
    lua_settop(own, 0);
}

/* 0: it cannot be made. */
static int has_own(nytp_lua *g) {
    if (!g->own && g->own_load) g->own = lua_newstate(allocate, NULL);
    return g->own != NULL;
}

void nytp_lua_lines_mark(nytp_lua *g, lua_State *L, lua_Debug *ar, nytp_live_file *file) {
    nytp_buf code = {0};
    if (file->flags & NYTP_FILE_EVAL || !lua_checkstack(L, 1)) return;
    lua_getinfo(L, "f", ar);
    if (lua_dump(L, add_piece, &code, 0) == 0 && has_own(g))
        mark(g, g->own, (nytp_str){(const char *)code.p, code.n}, file);
    lua_pop(L, 1);
    nytp_buf_free(&code);
}

void nytp_lua_lines_free(nytp_lua *g) {
    if (g->own) lua_close(g->own);
    g->own = NULL;
}
