/* Preloaded, for t/perl-process.t: how often a process calls poll is the last line of its standard error. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>

static long polls;

int poll(struct pollfd *fds, nfds_t n, int timeout) {
    int (*real)(struct pollfd *, nfds_t, int);
    *(void **)&real = dlsym(RTLD_NEXT, "poll");
    polls++;
    return real(fds, n, timeout);
}

static __attribute__((destructor)) void report(void) { fprintf(stderr, "%ld polls\n", polls); }
