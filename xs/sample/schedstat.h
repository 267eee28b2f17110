/* SPDX-License-Identifier: MIT */
/* schedstat.h - what the scheduler has counted of a thread. */
#ifndef NYTP_SAMPLE_SCHEDSTAT_H
#define NYTP_SAMPLE_SCHEDSTAT_H

#include "sample/kept.h"

/* In ns: how long it has run, up to the latest tick, and how long it has been ready to run without a CPU. Returns 0
 * where the system does not tell. The second is about the calling thread. */
int nytp_schedstat_read(nytp_kept *k, pid_t pid, pid_t tid, long long *ran, long long *delayed);
int nytp_schedstat_here(long long *ran, long long *delayed);

#endif
