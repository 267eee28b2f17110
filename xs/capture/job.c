/* job.c - which processes belong together, as far as their captures are concerned. */
#include "capture/job.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "capture/clock.h"

#ifndef CLOCK_BOOTTIME /* where it is missing there is no /proc either */
#define CLOCK_BOOTTIME CLOCK_MONOTONIC
#endif

#define TEXT_MAX 16384 /* the text of a capture, and then some */
#define LINE "%ld of group %ld, begun %llu"

void nytp_job_describe(char *text, size_t room, uint64_t began) {
    snprintf(text, room, LINE, (long)getpid(), (long)getpgrp(), (unsigned long long)began);
}

/* The 22nd field of /proc/PID/stat, in clock ticks since the machine was started. The second, a name in parentheses,
 * may hold anything. */
static int start_since_boot(long pid, unsigned long long *ticks) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *in = fopen(path, "r");
    if (!in) return 0;
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[n] = 0;
    const char *field = strrchr(text, ')');
    for (int i = 2; field && i < 22; i++) field = strchr(field + 1, ' ');
    return field && sscanf(field, " %llu", ticks) == 1;
}

/* When a process began, ns since the epoch, a little early rather than late; 0 if this system does not say. */
static uint64_t began(long pid) {
    unsigned long long ticks = 0;
    struct timespec up;
    long per_second = sysconf(_SC_CLK_TCK);
    if (per_second <= 0 || !start_since_boot(pid, &ticks) || clock_gettime(CLOCK_BOOTTIME, &up)) return 0;
    uint64_t uptime = (uint64_t)up.tv_sec * 1000000000u + (uint64_t)up.tv_nsec;
    uint64_t since_boot = (uint64_t)ticks * (1000000000u / (uint64_t)per_second);
    return nytp_clock_epoch_ns() - uptime + since_boot - 20000000;
}

enum nytp_kin nytp_job_kin(int fd) {
    char text[TEXT_MAX + 1];
    long pid, group;
    unsigned long long start;
    ssize_t n = pread(fd, text, TEXT_MAX, 0);
    text[n > 0 ? n : 0] = 0;
    const char *line = strstr(text, "\n:process=");
    if (!line || sscanf(line + strlen("\n:process="), LINE, &pid, &group, &start) != 3)
        return NYTP_KIN_NONE;
    if (pid == (long)getpid() && start >= began(pid)) return NYTP_KIN_SELF;
    return group == (long)getpgrp() && start >= began(group) ? NYTP_KIN_JOB : NYTP_KIN_NONE;
}
