/* SPDX-License-Identifier: MIT */
/* worker.h - threads of the profiler's own in a process that is the program's. */
#ifndef NYTP_BASE_WORKER_H
#define NYTP_BASE_WORKER_H

#include <pthread.h>

/* Starts a thread with a small stack, and with all signals blocked, which are those of the thread that starts it.
 * Returns an errno. */
int nytp_worker_start(pthread_t *thread, void *(*of)(void *), void *self);

#endif
