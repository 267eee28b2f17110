/* SPDX-License-Identifier: MIT */
/* forks.c - a host that forks: parent and child go on in Lua, the child and its child end in different ways. */
#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nytprof.h"

#define TEXT \
    "function before() end\n" \
    "function in_parent() end\n" \
    "function in_child() end\n" \
    "function in_grandchild() end\n"

static void call(lua_State *L, const char *name, int times) {
    for (int i = 0; i < times; i++) {
        lua_getglobal(L, name);
        if (lua_pcall(L, 0, 0, 0)) fprintf(stderr, "%s\n", lua_tostring(L, -1));
    }
}

static void grandchild(lua_State *L) {
    call(L, "in_grandchild", 4);
    lua_close(L);
    _exit(0);
}

static void child(lua_State *L) {
    call(L, "in_child", 20);
    if (fork() == 0) grandchild(L);
    wait(NULL);
    call(L, "in_child", 2);
    exit(0);
}

int main(void) {
    char message[200] = "";
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (nytprof_attach(L, NULL, message, sizeof message)) puts(message);
    if (luaL_loadbuffer(L, TEXT, sizeof TEXT - 1, "@forks.lua") || lua_pcall(L, 0, 0, 0)) return 1;
    call(L, "before", 7);
    if (fork() == 0) child(L);
    wait(NULL);
    call(L, "in_parent", 300);
    lua_close(L);
    return 0;
}
