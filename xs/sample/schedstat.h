/* SPDX-License-Identifier: MIT */
/* schedstat.h - what the scheduler has counted of a thread. */
#ifndef NYTP_SAMPLE_SCHEDSTAT_H
#define NYTP_SAMPLE_SCHEDSTAT_H

#include <sys/types.h>

/* In ns: how long it has run, up to the latest tick, and how long it has been ready to run without a CPU. pid 0: the
 * calling thread. Returns 0 where the system does not tell. */
int nytp_schedstat_read(pid_t pid, pid_t tid, long long *ran, long long *delayed);

#endif
