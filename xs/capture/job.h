/* SPDX-License-Identifier: MIT */
/* job.h - which processes belong together, as far as their captures are concerned.
 *
 * A job is a process group: what an interactive shell starts with one command line, a test run or a build with all that
 * it starts. A capture says in its text which process wrote it, so that a later process can tell a relative's fresh
 * capture from an old one of the same name. */
#ifndef NYTP_CAPTURE_JOB_H
#define NYTP_CAPTURE_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum nytp_kin {
    NYTP_KIN_NONE, /* written by a stranger or before this job began, or not known to be a capture */
    NYTP_KIN_JOB,  /* by another process of this job */
    NYTP_KIN_SELF  /* by this process, before an exec */
};

/* The capture's line about this process, without its key; began is the capture's begin, ns since the epoch. */
void nytp_job_describe(char *text, size_t room, uint64_t began);

/* Who wrote the capture that fd is open on for reading. Its position does not matter and stays. */
enum nytp_kin nytp_job_kin(int fd);

/* Whether the process that a stream is of lives on: by its host, pid and start (ns since the epoch). 0 where that is
 * not known: on another machine, or where there is no /proc. */
int nytp_job_is_running(nytp_str host, uint32_t pid, uint64_t start);

#endif
