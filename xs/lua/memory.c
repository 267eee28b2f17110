/* SPDX-License-Identifier: MIT */
/* memory.c - option memory: Lua's allocations are charged to the running line and function. */
#include "lua/glue.h"
#include "record/counters.h"

/* For a new block osize is the kind of object, not a size. */
static void *allocate(void *self, void *block, size_t osize, size_t nsize) {
    nytp_lua *g = self;
    void *got = g->allocator(g->allocator_self, block, osize, nsize);
    size_t before = block ? osize : 0;
    const int64_t more[] = {[NYTP_LUA_ALLOCATIONS] = 1, [NYTP_LUA_BYTES] = (int64_t)(nsize - before)};
    if (got && nsize > before && nytp_is_on(&g->r)) nytp_counters_sum(&g->r, NYTP_LUA_ALLOCATIONS, 2, more);
    return got;
}

void nytp_memory_watch(nytp_lua *g, lua_State *L) {
    g->allocator = lua_getallocf(L, &g->allocator_self);
    lua_setallocf(L, allocate, g);
}

void nytp_memory_leave(const nytp_lua *g, lua_State *L) {
    void *self;
    if (lua_getallocf(L, &self) == allocate && self == g) lua_setallocf(L, g->allocator, g->allocator_self);
}
