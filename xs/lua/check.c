/* SPDX-License-Identifier: MIT */
/* check.c - option selfcheck: after every event our stack of calls is compared with Lua's. */
#include <stdio.h>

#include "lua/glue.h"

#define LEVELS 20 /* from the top: deep recursion would take for ever */

/* Compares functions that share their lines, if the layout of Lua's records is known. */
static int is_code(const nytp_lua *g, const nytp_function *f, uint64_t print) {
    return !f->is_twin || !g->layout.is_known || f->chunk->is_mixed || f->print == print;
}

static int is_function(const nytp_lua *g, lua_State *L, lua_Debug *ar, const nytp_function *f) {
    lua_getinfo(L, "Sf", ar);
    lua_CFunction address = lua_tocfunction(L, -1);
    uint64_t print = f->is_twin ? nytp_function_print(L) : 0;
    lua_pop(L, 1);
    if (!f->sub) return nytp_is_init(ar);
    if (*ar->what == 'C') return !f->chunk && f->address == address;
    if (!is_code(g, f, print)) return 0;
    if (!f->chunk || (uint32_t)ar->linedefined != f->defined || (uint32_t)ar->lastlinedefined != f->ended) return 0;
    return f->chunk->hash == nytp_lua_chunk_hash(ar) || f->chunk->file->flags & NYTP_FILE_FOLDED;
}

static int is_right(const nytp_lua *g, lua_State *L, int level) {
    lua_Debug ar;
    const nytp_thread *t = g->thread;
    const nytp_call *c = t->top;
    for (int n = 0; n < LEVELS; n++, c--) {
        int is_there = lua_getstack(L, level + n, &ar);
        if (c == t->calls || !is_there) return c == t->calls && !is_there;
        if (c->ci != ar.i_ci || !is_function(g, L, &ar, c->function)) return 0;
    }
    return 1;
}

/* Lua's stack still has a call that returns, and in Lua 5.3 the call that a tail call replaces. */
void nytp_check(nytp_lua *g, lua_State *L, const lua_Debug *ar) {
    if (ar->event == LUA_HOOKCOUNT || (LUA_VERSION_NUM < 504 && ar->event == LUA_HOOKTAILCALL)) return;
    g->checks++;
    g->wrong += !is_right(g, L, ar->event == LUA_HOOKRET);
}

void nytp_check_say(const nytp_lua *g) {
    char line[128];
    snprintf(line, sizeof line, "NYTProf: selfcheck: %llu events, %llu wrong%s", (unsigned long long)g->checks,
             (unsigned long long)g->wrong, g->layout.is_known ? "" : "; Lua was asked for every function");
    nytp_log_line(&g->options, line);
}
