/* SPDX-License-Identifier: MIT */
/* worker.c - starts a thread of the profiler's own. */
#include "base/worker.h"

#include <signal.h>

/* The sampler takes 110 kB of it (gcc -fstack-usage), and glibc the static thread-local variables of the program and of
 * its libraries. Pages that are not touched cost nothing. */
#define STACK_BYTES (512u << 10)

int nytp_worker_start(pthread_t *thread, void *(*of)(void *), void *self) {
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int code = pthread_create(thread, &attributes, of, self);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}
