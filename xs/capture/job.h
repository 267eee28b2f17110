/* SPDX-License-Identifier: MIT */
/* job.h - which processes belong together, as far as their captures are concerned.
 *
 * A job is a process group: all processes of one command line of an interactive shell, of a test run or of a build. A
 * capture says in its text which process wrote it, so that a later process can tell a relative's fresh capture from an
 * old one of the same name. */
#ifndef NYTP_CAPTURE_JOB_H
#define NYTP_CAPTURE_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum nytp_kin {
    NYTP_KIN_NONE, /* written by a process of another job or before this job began, or not known to be a capture */
    NYTP_KIN_JOB,  /* by another process of this job */
    NYTP_KIN_SELF  /* by this process, before an exec */
};

/* The capture's line about this process, without its key; began is the capture's begin, ns since the epoch. */
void nytp_job_describe(char *text, size_t room, uint64_t began);

/* The writer's relation to this process, for the capture open as fd. Leaves fd's position as it is. */
enum nytp_kin nytp_job_kin(int fd);

/* Whether that is the name of this host. */
int nytp_job_is_here(nytp_str host);

/* When the process of that number began, ns since the epoch, to some hundredths of a second; 0: there is none, it has
 * ended, or the system does not tell. */
uint64_t nytp_job_began(long pid);

/* The same in the kernel's ticks since the system was booted, which stays the same when the clock is set: it tells a
 * process from a later one of that number. 0 as before. */
uint64_t nytp_job_start(long pid);

/* Whether the process that wrote a stream is still running: by its host, pid and start (ns since the epoch). 0 where
 * that is not known: on another machine, or without /proc. */
int nytp_job_is_running(nytp_str host, uint32_t pid, uint64_t start);

/* The number of the process that began the capture open as fd, if it is still running; else 0, also where that is not
 * known. A reader asks before it reads: what is read then of a process that had ended before is all that it wrote. */
uint32_t nytp_job_running_writer(int fd);

#endif
