/* SPDX-License-Identifier: MIT */
/* caught.c - /proc/PID/task/TID/stat and sched, by the kernel's clock of who has which CPU. */
#include "sample/caught.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ON_TIME INT64_C(200000) /* ns: a timer's delay where the CPU is given up at once, on a slow machine */
#define AT_ONCE 1000            /* ns */

void nytp_caught_prepare(void) { prctl(PR_SET_TIMERSLACK, 1L, 0, 0, 0); }

/* The state is behind the program's name, which may be any text. */
static int is_ready(nytp_caught_files *f, pid_t pid, pid_t tid) {
    char text[128];
    nytp_kept_read(&f->state, pid, tid, "stat", text, sizeof text);
    const char *behind = strrchr(text, ')');
    return behind && strncmp(behind, ") R", 3) == 0;
}

/* Until when the kernel has charged that thread, in ns: when it got or lost the CPU, or at a tick. 0: not known. */
static int64_t charged_until(nytp_kept *k, pid_t pid, pid_t tid) {
    char text[512], *end;
    nytp_kept_read(k, pid, tid, "sched", text, sizeof text);
    const char *at = strstr(text, "\nse.exec_start");
    if (!at || !(at = strchr(at, ':'))) return 0;
    long long ms = strtoll(at + 1, &end, 10);
    return *end == '.' ? ms * 1000000 + strtoll(end + 1, NULL, 10) : 0;
}

/* The kernel reads its clock once for the end of one and the beginning of the other. */
static int has_just_lost(nytp_caught_files *f, pid_t pid, pid_t tid) {
    int64_t lost = charged_until(&f->charged, pid, tid);
    int64_t got = charged_until(&f->own, getpid(), (pid_t)syscall(SYS_gettid));
    return lost && got >= lost && got - lost < AT_ONCE;
}

enum nytp_caught nytp_caught_at(nytp_caught_files *f, pid_t pid, pid_t tid, int64_t late) {
    if (!is_ready(f, pid, tid)) return NYTP_CAUGHT_WAITING;
    return late >= 0 && late < ON_TIME && has_just_lost(f, pid, tid) ? NYTP_CAUGHT_RUNNING : NYTP_CAUGHT_READY;
}

void nytp_caught_open(nytp_caught_files *f, pid_t pid, pid_t tid) {
    is_ready(f, pid, tid);
    has_just_lost(f, pid, tid);
}

void nytp_caught_close(nytp_caught_files *f) {
    nytp_kept_close(&f->state);
    nytp_kept_close(&f->charged);
    nytp_kept_close(&f->own);
}
