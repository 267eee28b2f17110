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

/* Without the lock, which completing a profile may take. */
static void at_exit(void) {
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->front.at_exit) r->front.at_exit(r->front.self);
}

/* ---- the list ---- */

/* Where r is in the list; else its end. The lock is the caller's. */
static nytp_recorder **find(const nytp_recorder *r) {
    nytp_recorder **at = &process.all;
    while (*at && *at != r) at = &(*at)->next;
    return at;
}

static void install(void) {
    if (process.installed) return;
    process.installed = 1;
    pthread_atfork(before_fork, in_parent, in_child);
    atexit(at_exit);
}

void nytp_handlers_join(nytp_recorder *r) {
    pthread_mutex_lock(&process.lock);
    install();
    nytp_recorder **at = find(r);
    if (!*at) {
        r->next = NULL;
        *at = r;
    }
    pthread_mutex_unlock(&process.lock);
}

void nytp_handlers_leave(nytp_recorder *r) {
    pthread_mutex_lock(&process.lock);
    nytp_recorder **at = find(r);
    if (*at) *at = r->next;
    pthread_mutex_unlock(&process.lock);
}
