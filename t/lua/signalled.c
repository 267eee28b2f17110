/* SPDX-License-Identifier: MIT */
/* signalled.c - a host that gets a signal, and then calls Lua again. With the argument "fork" it forks before: the
 * signal is the parent's alone, and the child's end is told. With "slow" its disk is slow from the signal on; with
 * "again" the same signal comes again with each write. */
#define _GNU_SOURCE 1
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "nytprof.h"

static const char *how;
static int has_come; /* the signal */

static void wait_long(void) {
    struct timespec left = {0, 300000000};
    while (nanosleep(&left, &left)) continue;
}

/* In place of the C library's. */
ssize_t write(int fd, const void *bytes, size_t n) {
    if (has_come && strcmp(how, "slow") == 0) wait_long();
    if (has_come && strcmp(how, "again") == 0) raise(SIGTERM);
    return syscall(SYS_write, fd, bytes, n);
}

static int call(lua_State *L, int times) {
    for (int i = 0; i < times; i++)
        if (luaL_dostring(L, "work()")) return 1;
    return 0;
}

/* However long the child takes, the parent ends at its next event. */
static void fork_and_wait(lua_State *L) {
    int status = -1;
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
    pid_t child = fork();
    if (child == 0) {
        int failed = call(L, 5);
        lua_close(L);
        _exit(failed);
    }
    waitpid(child, &status, 0);
    printf("%d\n", status);
    fflush(stdout);
}

int main(int argc, char **argv) {
    char message[200] = "";
    how = argc > 1 ? argv[1] : "";
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    if (nytprof_attach(L, NULL, message, sizeof message)) puts(message);
    if (luaL_dostring(L, "function work() return 1 end") || call(L, 7)) return 2;
    has_come = 1;
    raise(SIGTERM);
    if (strcmp(how, "fork") == 0) fork_and_wait(L);
    call(L, 1);
    return 0;
}
