/* SPDX-License-Identifier: MIT */
/* handlers.c - handlers of pthread_atfork, atexit and the end of threads, and the list of recorders that they go
 * through. */
#include "record/handlers.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "record/due.h"
#include "record/lag.h"

enum { NO_MEMBER, MEMBER, LEAVING }; /* of the list */

#define PATIENCE_S 10 /* of an exit(), with threads that complete recorders */
#define MOMENT_NS 200000
#define MOMENTS 100 /* that an exit() or exec waits for events in other threads */

/* State of the process, as the handlers have no argument. Changed with the lock; a handler of signals may have
 * interrupted its holder, so it reads `all` without, and is counted by `readers`. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t is_left; /* `leaving` has become less */
    nytp_recorder *_Atomic all;
    uint32_t leaving;       /* recorders off the list that their threads still complete */
    atomic_uint readers;
    nytp_recorder *_Atomic held; /* nytp_handlers_hold: by that thread, and what stands behind it in the list */
    nytp_recorder *_Atomic behind;
    const void *_Atomic holder;
    atomic_uint was_hurried; /* while it was held */
    pthread_key_t ends; /* of threads that own a recorder */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .is_left = PTHREAD_COND_INITIALIZER};

/* The recorders that this thread completes now, which are among `leaving`. Its address stands for the thread. */
static _Thread_local __attribute__((tls_model("initial-exec"))) uint32_t here;

static void pause_for(long ns) {
    const struct timespec moment = {0, ns};
    nanosleep(&moment, NULL);
}

/* ---- handlers ---- */

/* Whether a recorder is on is known to its own thread only; it may wait for another thread's child. */
static int may_wait(const nytp_recorder *r) { return r->front.waits_for_children && (r->owner != &here || r->on); }

/* The lock is held during the fork, so that the child finds a whole list. */
static void before_fork(void) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (may_wait(r)) nytp_lag_share(r);
}

static void in_parent(void) { pthread_mutex_unlock(&process.lock); }

/* Where another thread sets a deadline at this time, the order of its fetch and this one is that of what they set. */
static void hurry(nytp_recorder *r) {
    atomic_fetch_or(&r->is_hurried, 1);
    nytp_due_plan(r, INT64_MIN);
}

/* Other threads are the parent's alone. */
static void in_child(void) {
    process.leaving = here;
    process.readers = 0;
    pthread_cond_init(&process.is_left, NULL);
    pthread_mutex_unlock(&process.lock);
    for (nytp_recorder *r = process.all, *next; r; r = next) {
        next = r->next;
        hurry(r);
        if (r->front.in_child) r->front.in_child(r->front.self);
    }
}

/* With the lock. Does not wait for this thread itself, which may complete a recorder while a handler of signals calls
 * exit(), nor for ever, as a thread may be stuck. */
static void wait_for_leaving(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    while (process.leaving > here && pthread_cond_timedwait(&process.is_left, &process.lock, &until) != ETIMEDOUT) {}
}

/* A thread that has no event in time loses what it has counted since its last window. One that writes a window just now
 * may set the next deadline behind this, as it goes on. */
static void ask_others(unsigned what) {
    for (nytp_recorder *r = process.all; r; r = r->next) {
        if (!r->front.answers || r->owner == &here || !r->owner || !r->output.writer) continue;
        r->is_asked = what;
        if (what == NYTP_ASKED_END) hurry(r);
        else nytp_due_plan(r, INT64_MIN);
    }
}

static int is_awaited(void) {
    for (nytp_recorder *r = process.all; r; r = r->next)
        if (r->is_asked && r->rest == NYTP_REST_NO) return 1;
    return 0;
}

static void wait_for_answers(void) {
    for (int i = 0; i < MOMENTS && is_awaited(); i++) pause_for(MOMENT_NS);
}

static void complete_all(int by_signal) {
    for (nytp_recorder *r = process.all; r; r = r->next) {
        if (r->front.at_exit) r->front.at_exit(r->front.self, by_signal);
        if (r->rest == NYTP_REST_TAKEN) r->rest = NYTP_REST_DONE;
    }
}

/* With the lock, as other threads may close theirs; those that have begun to are waited for. */
void nytp_handlers_end(int by_signal) {
    if (process.holder == &here) return; /* a handler of SIGSEGV, say, has interrupted it: what is written stays */
    pthread_mutex_lock(&process.lock);
    ask_others(NYTP_ASKED_END);
    complete_all(by_signal);
    wait_for_answers();
    complete_all(by_signal); /* those that wait by now */
    wait_for_leaving();
    pthread_mutex_unlock(&process.lock);
}

static void at_exit(void) { nytp_handlers_end(0); }

void nytp_handlers_flush_others(void) {
    pthread_mutex_lock(&process.lock);
    ask_others(NYTP_ASKED_WINDOW);
    wait_for_answers();
    pthread_mutex_unlock(&process.lock);
}

int nytp_handlers_are_needed(void) { return process.all != NULL; }

static void ask(nytp_recorder *r) {
    if (r->front.hurry) r->front.hurry(r->front.self);
    else hurry(r);
}

void nytp_handlers_hurry(void) {
    process.readers++;
    for (nytp_recorder *r = process.all, *next; r; r = next) {
        int is_held = r == process.held;
        next = is_held ? process.behind : r->next;
        if (is_held) process.was_hurried = 1;
        else ask(r);
    }
    process.readers--;
}

static void wait_for_readers(void) {
    while (process.readers) pause_for(1000);
}

void nytp_handlers_hold(nytp_recorder *r) {
    pthread_mutex_lock(&process.lock);
    process.holder = &here;
    process.behind = r->next;
    process.held = r;
    wait_for_readers();
}

void nytp_handlers_release(nytp_recorder *r) {
    process.held = NULL;
    wait_for_readers();
    if (atomic_exchange(&process.was_hurried, 0)) ask(r);
    process.holder = NULL;
    pthread_mutex_unlock(&process.lock);
}

static void at_end_of_thread(void *thread) {
    pthread_mutex_lock(&process.lock);
    for (nytp_recorder *r = process.all; r; r = r->next) {
        if (r->owner != thread) continue;
        if (r->front.thread_ends) r->front.thread_ends(r->front.self);
        r->owner = NULL;
    }
    process.leaving -= here; /* it was cancelled, and completes nothing */
    here = 0;
    pthread_cond_broadcast(&process.is_left);
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

void nytp_handlers_arrive(nytp_recorder *r) {
    if (r->owner == &here) return;
    nytp_handlers_install(); /* not with the lock, which a fork takes behind the C library's own */
    pthread_mutex_lock(&process.lock);
    nytp_handlers_own(r);
    pthread_mutex_unlock(&process.lock);
}

int nytp_handlers_is_here(const nytp_recorder *r) { return r->owner == &here; }

static int take(nytp_recorder *r) {
    unsigned waits = NYTP_REST_WAITS;
    return atomic_compare_exchange_strong(&r->rest, &waits, NYTP_REST_TAKEN);
}

int nytp_handlers_may_touch(nytp_recorder *r) { return r->owner == &here || !r->owner || take(r); }

void nytp_handlers_rest(nytp_recorder *r) { r->rest = NYTP_REST_WAITS; }

int nytp_handlers_wake(nytp_recorder *r) {
    unsigned waits = NYTP_REST_WAITS;
    if (atomic_compare_exchange_strong(&r->rest, &waits, NYTP_REST_NO)) return 1;
    while (r->rest == NYTP_REST_TAKEN) pause_for(MOMENT_NS);
    return r->rest == NYTP_REST_NO;
}

void nytp_handlers_answer(nytp_recorder *r) {
    if (!r->is_asked || r->owner != &here) return;
    if (r->is_asked == NYTP_ASKED_END && r->front.at_exit) r->front.at_exit(r->front.self, 0);
    r->is_asked = NYTP_ASKED_NOTHING;
}

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
    nytp_recorder *_Atomic *at = &process.all;
    while (*at != r) at = &(*at)->next;
    *at = r->next;
    wait_for_readers();
}

void nytp_handlers_drop(nytp_recorder *r) {
    if (r->membership == MEMBER) take_off(r);
    r->membership = NO_MEMBER;
}

void nytp_handlers_leave(nytp_recorder *r) {
    if (r->membership != MEMBER) return;
    pthread_mutex_lock(&process.lock);
    take_off(r);
    nytp_handlers_own(r);
    r->membership = LEAVING;
    process.leaving++;
    here++;
    pthread_mutex_unlock(&process.lock);
}

void nytp_handlers_left(nytp_recorder *r) {
    nytp_handlers_leave(r);
    if (r->membership != LEAVING) return;
    pthread_mutex_lock(&process.lock);
    r->membership = NO_MEMBER;
    if (here) process.leaving--, here--;
    pthread_cond_broadcast(&process.is_left);
    pthread_mutex_unlock(&process.lock);
}
