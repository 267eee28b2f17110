/* SPDX-License-Identifier: MIT */
/* caught.h - what a thread does that does not run at the moment when another thread looks at it.
 *
 * It waits, or it is ready to run and has no CPU. In the second case it may be the looking thread that has taken the
 * CPU from it, as that was woken by its timer: then the thread was running at that moment, at which it is still. If the
 * looking thread had to wait for the CPU, until the other one made a system call for instance, the moment is not one of
 * the looking thread's choice. */
#ifndef NYTP_SAMPLE_CAUGHT_H
#define NYTP_SAMPLE_CAUGHT_H

#include "sample/kept.h"

enum nytp_caught { NYTP_CAUGHT_RUNNING, NYTP_CAUGHT_READY, NYTP_CAUGHT_WAITING };

/* The calling thread is woken as early as the system can. */
void nytp_caught_prepare(void);

/* All zero before the first look. */
typedef struct nytp_caught_files {
    nytp_kept state, charged, own; /* of the thread, and of the calling one */
} nytp_caught_files;

/* What thread tid of process pid, whose CPU time stands still, is at: WAITING where the system does not tell. late: ns
 * that the calling thread was woken after the moment for which it had planned to look; below 0: not known. */
enum nytp_caught nytp_caught_at(nytp_caught_files *f, pid_t pid, pid_t tid, int64_t late);

/* While the thread waits for the calling one, so that no file is opened later at the same time as one of its own. */
void nytp_caught_open(nytp_caught_files *f, pid_t pid, pid_t tid);
void nytp_caught_close(nytp_caught_files *f);

#endif
