/* SPDX-License-Identifier: MIT */
/* ends.c - a host whose other thread is in the middle of a write of the profiler's: "exit" ends the process while it
 * closes its Lua, "fork" forks while it starts one, and tells what becomes of the child. */
#define _GNU_SOURCE 1
#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nytprof.h"

static atomic_int is_writing;
static _Thread_local int is_slow;

/* In place of the C library's. */
ssize_t write(int fd, const void *bytes, size_t n) {
    const struct timespec some = {0, 200000000};
    if (is_slow) {
        is_writing = 1;
        nanosleep(&some, NULL);
    }
    return syscall(SYS_write, fd, bytes, n);
}

static void attach(lua_State *L) {
    char message[200] = "";
    if (nytprof_attach(L, NULL, message, sizeof message)) puts(message);
}

static lua_State *make(void) {
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    attach(L);
    if (luaL_dostring(L, "function work() return 1 end work()")) exit(2);
    return L;
}

static void *close_one(void *none) {
    lua_State *L = make();
    is_slow = 1;
    lua_close(L);
    return none;
}

static void *start_one(void *none) {
    lua_State *L = luaL_newstate();
    is_slow = 1;
    attach(L);
    lua_close(L);
    return none;
}

static pthread_t begin(void *(*what)(void *)) {
    pthread_t thread;
    const struct timespec moment = {0, 1000000};
    if (pthread_create(&thread, NULL, what, NULL)) exit(2);
    while (!is_writing) nanosleep(&moment, NULL);
    return thread;
}

static void use_in_child(lua_State *L) {
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        int failed = luaL_dostring(L, "for i = 1, 5 do work() end");
        lua_close(L);
        _exit(failed);
    }
    waitpid(child, &status, 0);
    printf("%d\n", status);
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "";
    if (strcmp(how, "exit") == 0) {
        begin(close_one);
        exit(0);
    }
    lua_State *L = make();
    pthread_t thread = begin(start_one);
    use_in_child(L);
    pthread_join(thread, NULL);
    lua_close(L);
    return 0;
}
