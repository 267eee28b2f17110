/* SPDX-License-Identifier: MIT */
/* Preloaded, for t/attach.t and t/push-children.t: a second after a process has first read the system's clock this is set
 * forward by an hour. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    static time_t begun;
    struct timespec up;
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, now);
    if (code || clock != CLOCK_REALTIME || real(CLOCK_MONOTONIC, &up)) return code;
    if (!begun) begun = up.tv_sec;
    if (up.tv_sec > begun) now->tv_sec += 3600;
    return 0;
}
