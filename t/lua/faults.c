/* SPDX-License-Identifier: MIT */
/* faults.c - a host that runs a Lua program, which can do what harms a profile: close descriptors, lose its directory
 * or its rights, fork, and end without a word. */
#define _GNU_SOURCE
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nytprof.h"

static int close_all(lua_State *L) {
    (void)L;
    for (int fd = 3; fd < 1100; fd++) close(fd);
    return 0;
}

static int jail(lua_State *L) { return chroot(luaL_checkstring(L, 1)) || chdir("/") ? luaL_error(L, "chroot") : 0; }

static int go_to(lua_State *L) { return chdir(luaL_checkstring(L, 1)) ? luaL_error(L, "chdir") : 0; }

static int drop(lua_State *L) { return setgid(65534) || setuid(65534) ? luaL_error(L, "setuid") : 0; }

static int fork_off(lua_State *L) {
    lua_pushboolean(L, fork() == 0);
    return 1;
}

static int await(lua_State *L) {
    (void)L;
    return wait(NULL) < 0;
}

static int nap(lua_State *L) { return usleep((useconds_t)luaL_checkinteger(L, 1) * 1000) != 0; }

static int leave(lua_State *L) { return (int)syscall(SYS_exit_group, (int)luaL_checkinteger(L, 1)); }

static int end(lua_State *L) { return kill(getpid(), (int)luaL_checkinteger(L, 1)); }

int main(int argc, char **argv) {
    static const luaL_Reg functions[] = {{"close_all", close_all}, {"jail", jail}, {"go_to", go_to}, {"drop", drop},
                                         {"fork", fork_off}, {"await", await}, {"nap", nap}, {"leave", leave},
                                         {"kill", end}, {NULL, NULL}};
    const struct rlimit no_core = {0, 0};
    char message[200] = "";
    lua_State *L = luaL_newstate();
    setrlimit(RLIMIT_CORE, &no_core);
    luaL_openlibs(L);
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    if (argc > 2 && nytprof_attach(L, NULL, message, sizeof message)) puts(message);
    if (luaL_dofile(L, argv[1])) fprintf(stderr, "%s\n", lua_tostring(L, -1));
    lua_close(L);
    return 0;
}
