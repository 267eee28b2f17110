/* SPDX-License-Identifier: MIT */
/* schedstat.c - what the scheduler has counted of a thread, from /proc. Opened each time, as the program may close any
 * descriptor, and fork. */
#include "sample/schedstat.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int nytp_schedstat_read(pid_t pid, pid_t tid, long long *ran, long long *delayed) {
    char path[64] = "/proc/thread-self/schedstat", text[96];
    if (pid) snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    return sscanf(text, "%lld %lld", ran, delayed) == 2;
}
