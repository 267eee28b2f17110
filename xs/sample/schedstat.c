/* SPDX-License-Identifier: MIT */
/* schedstat.c - what the scheduler has counted of a thread, from /proc. */
#include "sample/schedstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int parse(const char *text, long long *ran, long long *delayed) {
    return sscanf(text, "%lld %lld", ran, delayed) == 2;
}

int nytp_schedstat_read(nytp_kept *k, pid_t pid, pid_t tid, long long *ran, long long *delayed) {
    char text[96];
    nytp_kept_read(k, pid, tid, "schedstat", text, sizeof text);
    return parse(text, ran, delayed);
}

/* Opened each time: the program stands still meanwhile, and may close any descriptor, and fork. */
int nytp_schedstat_here(long long *ran, long long *delayed) {
    char text[96];
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    return parse(text, ran, delayed);
}
