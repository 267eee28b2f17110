/* SPDX-License-Identifier: MIT */
/* caught.c - /proc/PID/task/TID/stat and sched, by the kernel's clock of who has which CPU. */
#include "sample/caught.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ON_TIME INT64_C(200000) /* ns: a timer's delay where the CPU is given up at once, on a slow machine */
#define AT_ONCE 1000            /* ns */

void nytp_caught_prepare(void) { prctl(PR_SET_TIMERSLACK, 1L, 0, 0, 0); }

static void read_text(pid_t pid, pid_t tid, const char *name, char *text, size_t room) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)pid, (long)tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, room - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = '\0';
}

/* The state is behind the program's name, which may be any text. */
static int is_ready(pid_t pid, pid_t tid) {
    char text[128];
    read_text(pid, tid, "stat", text, sizeof text);
    const char *behind = strrchr(text, ')');
    return behind && strncmp(behind, ") R", 3) == 0;
}

/* Until when the kernel has charged that thread, in ns: when it got or lost the CPU, or at a tick. 0: not known. */
static int64_t charged_until(pid_t pid, pid_t tid) {
    char text[512], *end;
    read_text(pid, tid, "sched", text, sizeof text);
    const char *at = strstr(text, "\nse.exec_start");
    if (!at || !(at = strchr(at, ':'))) return 0;
    long long ms = strtoll(at + 1, &end, 10);
    return *end == '.' ? ms * 1000000 + strtoll(end + 1, NULL, 10) : 0;
}

/* The kernel reads its clock once for the end of one and the beginning of the other. */
static int has_just_lost(pid_t pid, pid_t tid) {
    int64_t lost = charged_until(pid, tid), got = charged_until(getpid(), (pid_t)syscall(SYS_gettid));
    return lost && got >= lost && got - lost < AT_ONCE;
}

enum nytp_caught nytp_caught_at(pid_t pid, pid_t tid, int64_t late) {
    if (!is_ready(pid, tid)) return NYTP_CAUGHT_WAITING;
    return late >= 0 && late < ON_TIME && has_just_lost(pid, tid) ? NYTP_CAUGHT_RUNNING : NYTP_CAUGHT_READY;
}
