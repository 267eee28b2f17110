/* SPDX-License-Identifier: MIT */
/* handlers.c - handlers of pthread_atfork, atexit and the end of threads, and the list of recorders that they go
 * through. */
#include "record/handlers.h"

#include <stdlib.h>
#include <time.h>

#include "record/lag.h"

enum { NO_MEMBER, MEMBER, LEAVING }; /* of the list */

/* State of the process, as the handlers have no argument. Changed with the lock; a handler of signals may have
 * interrupted its holder, so it reads `all` without, and is counted by `readers`. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t is_left; /* `leaving` has become less */
    nytp_recorder *_Atomic all;
    uint32_t leaving;       /* recorders off the list that their threads still complete */
    atomic_uint readers;
    pthread_key_t ends; /* of threads that own a recorder */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_left = PTHREAD_COND_INITIALIZER};

/* Its address stands for the thread. */
static _Thread_local __attribute__((tls_model("initial-exec"))) char here;

/* ---- handlers ---- */

/* The lock is held during the fork, so that the child finds a whole list. */
static void before_fork(void) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->on && r->front.waits_for_children) nytp_lag_share(r);
}

static void in_parent(void) { pthread_mutex_unlock(&process.lock); }

/* Where another thread sets a deadline at this time, the order of its fetch and this one is that of what they set. */
static void hurry(nytp_recorder *r) {
    atomic_fetch_or(&r->is_hurried, 1);
    nytp_recorder_due(r, INT64_MIN);
}

/* Other threads are the parent's alone. */
static void in_child(void) {
    process.leaving = 0;
    process.readers = 0;
    pthread_cond_init(&process.is_left, NULL);
    pthread_mutex_unlock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next) {
        hurry(r);
        if (r->front.in_child) r->front.in_child(r->front.self);
    }
}

/* With the lock, as other threads may close theirs; those that have begun to are waited for. */
void nytp_handlers_end(int by_signal) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->front.at_exit) r->front.at_exit(r->front.self, by_signal);
    while (process.leaving) pthread_cond_wait(&process.is_left, &process.lock);
    pthread_mutex_unlock(&process.lock);
}

static void at_exit(void) { nytp_handlers_end(0); }

int nytp_handlers_are_needed(void) { return process.all != NULL; }

void nytp_handlers_hurry(void) {
    process.readers++;
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->front.hurry) r->front.hurry(r->front.self);
        else hurry(r);
    process.readers--;
}

static void at_end_of_thread(void *thread) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->owner == thread) r->owner = NULL;
    pthread_mutex_unlock(&process.lock);
}

static void install(void) {
    pthread_key_create(&process.ends, at_end_of_thread);
    pthread_atfork(before_fork, in_parent, in_child);
    atexit(at_exit);
}

void nytp_handlers_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

/* ---- the list ---- */

void nytp_handlers_own(nytp_recorder *r) {
    if (r->owner == &here) return;
    nytp_handlers_install();
    pthread_setspecific(process.ends, &here);
    r->owner = &here;
}

int nytp_handlers_may_touch(const nytp_recorder *r) { return r->owner == &here || !r->owner; }

void nytp_handlers_join(nytp_recorder *r) {
    nytp_handlers_own(r);
    if (r->membership) return; /* the lock may be held: see nytp_handlers_end */
    pthread_mutex_lock(&process.lock);
    r->membership = MEMBER;
    r->next = process.all;
    process.all = r;
    pthread_mutex_unlock(&process.lock);
}

/* With the lock. Behind it no handler of a signal has r. */
static void take_off(const nytp_recorder *r) {
    const struct timespec moment = {0, 1000};
    nytp_recorder *_Atomic *at = &process.all;
    while (*at != r) at = &(*at)->next;
    *at = r->next;
    while (process.readers) nanosleep(&moment, NULL);
}

void nytp_handlers_leave(nytp_recorder *r) {
    if (r->membership != MEMBER) return;
    pthread_mutex_lock(&process.lock);
    take_off(r);
    r->membership = LEAVING;
    process.leaving++;
    pthread_mutex_unlock(&process.lock);
}

void nytp_handlers_left(nytp_recorder *r) {
    nytp_handlers_leave(r);
    if (r->membership != LEAVING) return;
    pthread_mutex_lock(&process.lock);
    r->membership = NO_MEMBER;
    if (process.leaving) process.leaving--;
    pthread_cond_broadcast(&process.is_left);
    pthread_mutex_unlock(&process.lock);
}
