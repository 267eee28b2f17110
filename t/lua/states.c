/* SPDX-License-Identifier: MIT */
/* states.c - a host with many Luas: `states 20 4` makes 20 one after the other in each of 4 threads, and leaves the
 * last of each open until all are done. Every one runs f ten times and resumes a coroutine that yields to the host. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const char program[] =
    "local function f(n)\n  for i = 1, n do\n    local x = i\n  end\nend\n"
    "for i = 1, 10 do f(i) end\n"
    "return function() f(1) coroutine.yield() f(2) end\n";

static int luas;

static void resume(lua_State *co, lua_State *from) {
#if LUA_VERSION_NUM >= 504
    int results;
    lua_resume(co, from, 0, &results);
#else
    lua_resume(co, from, 0);
#endif
}

static lua_State *run(void) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_getglobal(L, "require");
    lua_pushliteral(L, "nytprof");
    if (lua_pcall(L, 1, 0, 0) || luaL_loadbuffer(L, program, sizeof program - 1, "@states.lua") ||
        lua_pcall(L, 0, 1, 0)) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
        exit(1);
    }
    lua_State *co = lua_newthread(L);
    lua_insert(L, -2);
    lua_xmove(L, co, 1);
    resume(co, L);
    resume(co, L);
    return L;
}

static void *run_all(void *last) {
    for (int i = 1; i < luas; i++) lua_close(run());
    *(lua_State **)last = run();
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[16];
    lua_State *last[16];
    luas = argc > 1 ? atoi(argv[1]) : 1;
    int n = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < n; i++) pthread_create(threads + i, NULL, run_all, last + i);
    for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < n; i++) lua_close(last[i]);
    return 0;
}
