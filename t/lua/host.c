/* SPDX-License-Identifier: MIT */
/* host.c - a program with Lua in it that has itself profiled: two states, each with a file of its own, one of them in a
 * thread; where the profiler is paused; and what it answers to an option that does not exist. */
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>

#include "nytprof.h"

static int run(lua_State *L, const char *text, const char *name) {
    int failed = luaL_loadbuffer(L, text, __builtin_strlen(text), name) || lua_pcall(L, 0, 0, 0);
    if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
    return failed;
}

static void *second(void *unused) {
    char message[200] = "";
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (nytprof_attach(L, "file=second.out", message, sizeof message)) puts(message);
    run(L, "local function in_second(n) return n * 2 end\nfor i = 1, 500 do in_second(i) end\n", "@second.lua");
    lua_close(L); /* without nytprof_detach */
    return unused;
}

int main(void) {
    char message[200] = "";
    pthread_t thread;
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    printf("%d ", nytprof_attach(L, "file=first.out:nosuch=x:clock=no", message, sizeof message) != 0);
    puts(message);
    if (nytprof_attach(L, "file=first.out", message, sizeof message)) puts(message);
    pthread_create(&thread, NULL, second, NULL);
    run(L, "function in_first(n) return n + 1 end\nfor i = 1, 300 do in_first(i) end\n", "@first.lua");
    nytprof_pause(L);
    run(L, "function unseen() end\nfor i = 1, 100 do unseen() end\n", "@paused.lua");
    if (nytprof_resume(L, message, sizeof message)) puts(message);
    run(L, "for i = 1, 30 do in_first(i) end\n", "@again.lua");
    pthread_join(thread, NULL);
    nytprof_detach(L);
    run(L, "in_first(1)", "@after.lua");
    nytprof_detach(L);
    luaL_requiref(L, "nytprof", luaopen_nytprof, 0);
    puts(lua_istable(L, -1) ? "module" : "none");
    lua_close(L);
    return 0;
}
