/* SPDX-License-Identifier: MIT */
/* handlers.c - handlers of pthread_atfork and atexit, and the list of recorders that they go through. */
#include "record/handlers.h"

#include <stdlib.h>

#include "record/lag.h"

static struct {
    pthread_mutex_t lock;
    nytp_recorder *all;
    uint32_t installed; /* 1: the handlers are */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- handlers ---- */

/* The lock is held during the fork, so that the child finds a whole list. */
static void before_fork(void) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->on && r->front.waits_for_children) nytp_lag_share(r);
}

static void in_parent(void) { pthread_mutex_unlock(&process.lock); }

static void in_child(void) {
    pthread_mutex_unlock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next) {
        nytp_recorder_due(r, INT64_MIN);
        if (r->front.in_child) r->front.in_child(r->front.self);
    }
}

/* With the lock, as other threads may close theirs. */
void nytp_handlers_end(int by_signal) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->front.at_exit) r->front.at_exit(r->front.self, by_signal);
    pthread_mutex_unlock(&process.lock);
}

static void at_exit(void) { nytp_handlers_end(0); }

int nytp_handlers_are_needed(void) { return process.all != NULL; }

/* Without the lock, as the signal may have interrupted its holder. */
void nytp_handlers_hurry(void) {
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->front.hurry) r->front.hurry(r->front.self);
        else nytp_recorder_due(r, INT64_MIN);
}

/* ---- the list ---- */

static void install(void) {
    if (process.installed) return;
    process.installed = 1;
    pthread_atfork(before_fork, in_parent, in_child);
    atexit(at_exit);
}

void nytp_handlers_join(nytp_recorder *r) {
    if (r->is_joined) return; /* the lock may be held: see nytp_handlers_end */
    pthread_mutex_lock(&process.lock);
    install();
    r->is_joined = 1;
    r->next = process.all;
    process.all = r;
    pthread_mutex_unlock(&process.lock);
}

void nytp_handlers_leave(nytp_recorder *r) {
    if (!r->is_joined) return;
    pthread_mutex_lock(&process.lock);
    nytp_recorder **at = &process.all;
    while (*at != r) at = &(*at)->next;
    *at = r->next;
    r->is_joined = 0;
    pthread_mutex_unlock(&process.lock);
}
