/* SPDX-License-Identifier: MIT */
/* ticker.c - the thread, its lock, and what becomes of both in a forked child.
 *
 * The thread has the lock except while it sleeps. A fork takes it, so the child finds the recorder as it is between two
 * samples. */
#include "sample/ticker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/handlers.h"
#include "record/target.h"

#define STACK_BYTES (256u << 10)
#define MOMENT INT64_C(20000000) /* ns: a forked child that execs has done so by then */

enum { OFF, BEGINS, READY, ON, LEAVES, ENDS }; /* what the thread is to do, or does */

struct nytp_ticker {
    nytp_sampler sampler;
    nytp_ticker_front front;
    nytp_sampled what;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* `state` has */
    int state;              /* an enum above */
    int is_inherited;       /* 1: the thread begins in a forked child */
    nytp_error error;       /* of its beginning */
    nytp_ticker *next;
};

/* State of the process, as handlers have no argument. */
static struct {
    pthread_mutex_t lock; /* taken before those of the tickers */
    nytp_ticker *all;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void make_condition(nytp_ticker *t) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void set_state(nytp_ticker *t, int state) {
    t->state = state;
    pthread_cond_broadcast(&t->changed);
}

/* ---- the thread ---- */

/* With the lock, which others may have meanwhile. */
static void sleep_until(nytp_ticker *t, int64_t ns) {
    const struct timespec until = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    while (t->state == ON && pthread_cond_timedwait(&t->changed, &t->lock, &until) != ETIMEDOUT) {}
}

/* The program waits until the output is open: that is no time of its own. */
static void begin(nytp_ticker *t) {
    nytp_recorder *r = &t->sampler.session.r;
    if (t->front.lock) t->front.lock();
    int code = nytp_sampler_on(&t->sampler, &t->front.front, &t->error);
    if (t->front.unlock) t->front.unlock();
    if (!code) nytp_recorder_off(r);
    set_state(t, code ? OFF : READY);
    while (t->state == READY) pthread_cond_wait(&t->changed, &t->lock);
    if (!code) nytp_recorder_on(r, &t->error);
}

/* In a forked child, which opens its own output. A program may fork before its own ticker's first moment: so it is not
 * always on. */
static void go_on(nytp_ticker *t) {
    sleep_until(t, (int64_t)nytp_clock_monotonic_ns() + MOMENT);
    if (t->front.lock) t->front.lock();
    if (!nytp_sampler_move(&t->sampler, &t->what, &t->error)) nytp_session_on(&t->sampler.session, &t->error);
    if (t->front.unlock) t->front.unlock();
}

static void *run(void *self) {
    nytp_ticker *t = self;
    nytp_caught_prepare();
    pthread_mutex_lock(&t->lock);
    if (t->is_inherited) go_on(t);
    else begin(t);
    while (t->state == ON) {
        sleep_until(t, t->sampler.pace.next);
        if (t->state == ON) nytp_sampler_sample(&t->sampler);
    }
    if (t->state == LEAVES) nytp_sampler_off(&t->sampler);
    if (t->state == ENDS) nytp_sampler_end(&t->sampler);
    t->state = OFF;
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* Its signals are those of the thread that makes it. */
static int start(nytp_ticker *t) {
    pthread_attr_t attributes;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int code = pthread_create(&t->thread, &attributes, run, t);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

/* ---- fork and exit ---- */

static void before_fork(void) {
    pthread_mutex_lock(&process.lock);
    for (nytp_ticker *t = process.all; t; t = t->next) pthread_mutex_lock(&t->lock);
}

static void in_parent(void) {
    for (nytp_ticker *t = process.all; t; t = t->next) pthread_mutex_unlock(&t->lock);
    pthread_mutex_unlock(&process.lock);
}

static void is_here_now(nytp_ticker *t) {
    t->what.pid = getpid();
    t->what.tid = (pid_t)syscall(SYS_gettid);
    if (pthread_getcpuclockid(pthread_self(), &t->what.cpu)) t->what.tid = 0;
}

static int goes_on(const nytp_ticker *t, int is_here) {
    return is_here && t->state == ON && t->sampler.session.options.forkdepth != 0;
}

/* Another interpreter's ticker is the parent's alone, as its thread is. */
static void go_on_in_child(nytp_ticker *t) {
    int is_here = t->front.is_here(t->front.front.self), is_on = goes_on(t, is_here);
    make_condition(t);
    if (!is_here) nytp_handlers_drop(&t->sampler.session.r);
    if (is_on) is_here_now(t);
    t->is_inherited = 1;
    pthread_mutex_unlock(&t->lock);
    if (!is_on || start(t)) t->state = OFF;
}

static void in_child(void) {
    for (nytp_ticker *t = process.all; t; t = t->next) go_on_in_child(t);
    pthread_mutex_unlock(&process.lock);
}

/* By the thread itself; the caller has no lock. */
static void stop(nytp_ticker *t, int state) {
    pthread_mutex_lock(&t->lock);
    int is_on = t->state == ON;
    if (is_on) set_state(t, state);
    pthread_mutex_unlock(&t->lock);
    if (is_on) pthread_join(t->thread, NULL);
    t->is_inherited = 0;
}

static void at_exit(void) {
    pthread_mutex_lock(&process.lock);
    for (nytp_ticker *t = process.all; t; t = t->next) stop(t, ENDS);
    pthread_mutex_unlock(&process.lock);
}

/* Behind those of the recorder, whose locks the thread takes while it has its own. */
static void install(void) {
    nytp_handlers_install();
    pthread_atfork(before_fork, in_parent, in_child);
    atexit(at_exit);
}

/* ---- life ---- */

nytp_ticker *nytp_ticker_make(const nytp_ticker_front *front, const nytp_options *options, uint32_t number,
                              nytp_error *e) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    nytp_ticker *t = calloc(1, sizeof *t);
    if (!t || nytp_options_copy(&t->sampler.session.options, options)) {
        free(t);
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return NULL;
    }
    pthread_once(&once, install);
    t->front = *front;
    t->what = (nytp_sampled){.perl = front->perl, .layout = front->layout};
    is_here_now(t);
    if (number) t->what.tid = 0;
    t->sampler.session.threads = number;
    t->sampler.session.options.start = NYTP_START_BEGIN;
    pthread_mutex_init(&t->lock, NULL);
    make_condition(t);
    if (nytp_sampler_open(&t->sampler, &t->what, "thread", e)) {
        nytp_options_free(&t->sampler.session.options);
        free(t);
        return NULL;
    }
    pthread_mutex_lock(&process.lock);
    t->next = process.all;
    process.all = t;
    pthread_mutex_unlock(&process.lock);
    return t;
}

int nytp_ticker_on(nytp_ticker *t, nytp_error *e) {
    pthread_mutex_lock(&t->lock);
    if (t->state == OFF) {
        t->error = (nytp_error){0};
        t->state = BEGINS;
        t->is_inherited = 0;
        int code = start(t);
        if (code) {
            errno = code;
            nytp_error_sys(&t->error, "cannot start a thread");
            t->state = OFF;
        }
        while (t->state == BEGINS) pthread_cond_wait(&t->changed, &t->lock);
        if (t->state == READY) set_state(t, ON);
        else if (!code) pthread_join(t->thread, NULL);
    }
    *e = t->error;
    pthread_mutex_unlock(&t->lock);
    return e->code;
}

int nytp_ticker_is_on(const nytp_ticker *t) { return t->state == ON; }

void nytp_ticker_off(nytp_ticker *t) { stop(t, LEAVES); }

static void take_off(const nytp_ticker *t) {
    nytp_ticker **at = &process.all;
    pthread_mutex_lock(&process.lock);
    while (*at && *at != t) at = &(*at)->next;
    if (*at) *at = t->next;
    pthread_mutex_unlock(&process.lock);
}

void nytp_ticker_end(nytp_ticker *t) {
    if (!t) return;
    take_off(t);
    stop(t, ENDS);
    if (t->sampler.weight.manner) nytp_sampler_end(&t->sampler); /* it was off */
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

void nytp_ticker_share(nytp_ticker *t, nytp_outlet *outlet) {
    pthread_mutex_lock(&t->lock);
    if (t->front.lock) t->front.lock();
    nytp_target_share(&t->sampler.session.r, outlet);
    if (t->front.unlock) t->front.unlock();
    pthread_mutex_unlock(&t->lock);
}

nytp_sampler *nytp_ticker_sampler(nytp_ticker *t) { return &t->sampler; }
