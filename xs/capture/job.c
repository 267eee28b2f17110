/* SPDX-License-Identifier: MIT */
/* job.c - which processes belong together, as far as their captures are concerned. */
#include "capture/job.h"

#include <dirent.h>
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

#define TEXT_MAX 16384 /* more than the text at a capture's beginning */
#define LINE "%ld of group %ld, begun %llu"

void nytp_job_describe(char *text, size_t room, uint64_t began) {
    snprintf(text, room, LINE, (long)getpid(), (long)getpgrp(), (unsigned long long)began);
}

typedef struct process {
    char state; /* Z: it has ended, and its parent has not waited for it yet */
    long group;
    unsigned long long start; /* clock ticks since the machine was started */
} process;

/* Fields 3, 5 and 22 of /proc/PID/stat. Field 2, a name in parentheses, may contain any byte. */
static int look_up(const char *pid, process *found) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
    FILE *in = fopen(path, "r");
    if (!in) return 0;
    size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[n] = 0;
    const char *field = strrchr(text, ')');
    if (!field || sscanf(field, ") %c %*d %ld", &found->state, &found->group) != 2) return 0;
    for (int i = 2; field && i < 22; i++) field = strchr(field + 1, ' ');
    return field && sscanf(field, " %llu", &found->start) == 1;
}

/* ns since the epoch, rounded down; 0 if the system does not tell. */
static uint64_t epoch_of(unsigned long long ticks_since_boot) {
    struct timespec up;
    long per_second = sysconf(_SC_CLK_TCK);
    if (per_second <= 0 || clock_gettime(CLOCK_BOOTTIME, &up)) return 0;
    uint64_t uptime = (uint64_t)up.tv_sec * 1000000000u + (uint64_t)up.tv_nsec;
    uint64_t since_boot = (uint64_t)ticks_since_boot * (1000000000u / (uint64_t)per_second);
    return nytp_clock_epoch_ns() - uptime + since_boot - 20000000;
}

static int look_up_number(long pid, process *found) {
    char text[32];
    snprintf(text, sizeof text, "%ld", pid);
    return look_up(text, found);
}

static int look_up_living(long pid, process *found) { return look_up_number(pid, found) && found->state != 'Z'; }

uint64_t nytp_job_began(long pid) {
    process found;
    return look_up_living(pid, &found) ? epoch_of(found.start) : 0;
}

uint64_t nytp_job_start(long pid) {
    process found;
    return look_up_living(pid, &found) ? found.start : 0;
}

/* A group may outlive its leader: then the start of its oldest member is the latest time at which it can have begun. */
static uint64_t group_began(long group) {
    process found, oldest = {.start = ~0ull};
    if (look_up_number(group, &found)) return epoch_of(found.start);
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all && (entry = readdir(all));) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || !look_up(entry->d_name, &found)) continue;
        if (found.group == group && found.start < oldest.start) oldest = found;
    }
    if (all) closedir(all);
    return oldest.group ? epoch_of(oldest.start) : 0;
}

typedef struct writer {
    long pid, group;
    unsigned long long start;
    char host[256]; /* empty: not known */
} writer;

/* The process that began the capture, by the text at its beginning; 0 if it does not say. */
static int read_writer(int fd, writer *w) {
    char text[TEXT_MAX + 1];
    ssize_t n = pread(fd, text, TEXT_MAX, 0);
    text[n > 0 ? n : 0] = 0;
    const char *line = strstr(text, "\n:process="), *host = strstr(text, "\n:host=");
    snprintf(w->host, sizeof w->host, "%s", host ? host + strlen("\n:host=") : "");
    w->host[strcspn(w->host, "\n")] = 0;
    return line && sscanf(line + strlen("\n:process="), LINE, &w->pid, &w->group, &w->start) == 3;
}

enum nytp_kin nytp_job_kin(int fd) {
    writer w;
    if (!read_writer(fd, &w)) return NYTP_KIN_NONE;
    if (w.pid == (long)getpid() && w.start >= nytp_job_began(w.pid)) return NYTP_KIN_SELF;
    return w.group == (long)getpgrp() && w.start >= group_began(w.group) ? NYTP_KIN_JOB : NYTP_KIN_NONE;
}

int nytp_job_is_here(nytp_str host) {
    char here[256] = "";
    return host.n && !gethostname(here, sizeof here - 1) && nytp_str_eq(host, nytp_str_c(here));
}

/* A process of that number that began after the capture is another one. */
int nytp_job_is_running(nytp_str host, uint32_t pid, uint64_t start) {
    process found;
    if (!nytp_job_is_here(host)) return 0;
    return look_up_living((long)pid, &found) && epoch_of(found.start) <= start;
}

uint32_t nytp_job_running_writer(int fd) {
    writer w;
    if (!read_writer(fd, &w) || w.pid <= 0 || w.pid > UINT32_MAX) return 0;
    return nytp_job_is_running(nytp_str_c(w.host), (uint32_t)w.pid, w.start) ? (uint32_t)w.pid : 0;
}
