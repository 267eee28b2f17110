/* SPDX-License-Identifier: MIT */
/* system.c - system calls that can fail: the linker replaces calls of write by __wrap_write. */
#include "system.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t __real_write(int fd, const void *p, size_t n);
int __real_close(int fd);
int __real_rename(const char *from, const char *to);
int __real_renameat(int from_fd, const char *from, int to_fd, const char *to);
ssize_t __wrap_write(int fd, const void *p, size_t n);
int __wrap_close(int fd);
int __wrap_rename(const char *from, const char *to);
int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to);

static atomic_long count, chosen; /* programs have threads */
static const char *kind = "";
static pid_t beginner;

void system_fail_at(const char *how, long n) {
    kind = how;
    count = 0;
    chosen = n;
}

long system_count(void) { return count; }

static int is(const char *how) { return strcmp(kind, how) == 0; }

/* A signal that most programs ignore; perl does not survive 120 of them between two of its ops. */
static ssize_t storm(size_t n) {
    for (int i = 0; i < 200; i++) raise(SIGWINCH);
    return (ssize_t)n;
}

/* What is left of n bytes; -1 is an error, with errno set. */
static ssize_t next(size_t n) {
    if (++count != chosen) return (ssize_t)n;
    if (is("storm")) return storm(n);
    if (is("short")) return (ssize_t)(n + 1) / 2;
    if (is("nothing")) return 0;
    errno = is("eintr") ? EINTR : is("eio") ? EIO : ENOSPC;
    return -1;
}

ssize_t __wrap_write(int fd, const void *p, size_t n) {
    ssize_t rest = next(n);
    return rest > 0 ? __real_write(fd, p, (size_t)rest) : rest;
}

/* Only an error of the disk is found so late; the descriptor is closed all the same. */
int __wrap_close(int fd) {
    int failed = is("eio") && next(1) < 0, saved = errno, result = __real_close(fd);
    if (!failed) return result;
    errno = saved;
    return -1;
}

static int renames(void) { return (!is("eio") && !is("enospc")) || next(1) >= 0; }

int __wrap_rename(const char *from, const char *to) { return renames() ? __real_rename(from, to) : -1; }

int __wrap_renameat(int from_fd, const char *from, int to_fd, const char *to) {
    return renames() ? __real_renameat(from_fd, from, to_fd, to) : -1;
}

__attribute__((constructor)) static void begin(void) {
    const char *how = getenv("FAIL_AS"), *at = getenv("FAIL_AT");
    beginner = getpid();
    if (how && at) system_fail_at(how, atol(at));
}

__attribute__((destructor)) static void end(void) {
    const char *name = getenv("FAIL_AS") ? getenv("FAIL_COUNT") : NULL;
    FILE *out = name && getpid() == beginner ? fopen(name, "w") : NULL;
    if (!out) return;
    fprintf(out, "%ld\n", system_count());
    fclose(out);
}
