/* SPDX-License-Identifier: MIT */
/* ticker.c - the thread, its lock, and what becomes of both in a forked child.
 *
 * The thread has the lock except while it sleeps. A fork takes it, so the child finds the recorder as it is between two
 * samples. */
#include "sample/ticker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/worker.h"
#include "record/handlers.h"
#include "record/log.h"
#include "record/output.h"
#include "record/relay.h"
#include "record/target.h"

#define MOMENT INT64_C(20000000) /* ns: a forked child that execs has done so by then */

enum { OFF, BEGINS, READY, ON, SUMS, LEAVES, RESTS, GIVES, ENDS }; /* what the thread is to do, or does */

struct nytp_ticker {
    nytp_sampler sampler;
    nytp_ticker_front front;
    nytp_sampled what;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* `state` has */
    int state;              /* an enum above */
    int is_inherited;       /* 1: the thread begins in a forked child, and has not opened its output */
    int is_hurried;         /* 1: it does not wait for an exec before that */
    int has_moved;          /* 1: it was off when the process forked or another thread took it */
    int is_left;            /* 1: its thread has ended, and its stream waits for another */
    nytp_error error;       /* of its beginning */
    nytp_ticker *next;
};

/* State of the process, as handlers have no argument. */
static struct {
    pthread_mutex_t lock; /* taken before those of the tickers */
    int is_ending;        /* 1: exit() has been called */
    nytp_ticker *all;
    nytp_ticker *left;    /* for later threads: no handler knows these */
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
    while (t->state == ON && !t->is_hurried && pthread_cond_timedwait(&t->changed, &t->lock, &until) != ETIMEDOUT) {}
}

/* The program waits until the output is open: that is no time of its own. */
static void begin(nytp_ticker *t) {
    nytp_recorder *r = &t->sampler.session.r;
    if (t->front.lock) t->front.lock();
    int code = t->has_moved ? nytp_sampler_move(&t->sampler, &t->what, &t->error) : NYTP_OK;
    t->has_moved = 0;
    if (!code) code = nytp_sampler_on(&t->sampler, &t->front.front, &t->error);
    if (t->front.unlock) t->front.unlock();
    if (!code) nytp_recorder_off(r);
    set_state(t, code ? OFF : READY);
    while (t->state == READY) pthread_cond_wait(&t->changed, &t->lock);
    if (!code) nytp_recorder_on(r, &t->error);
}

static int is_before_exec(const nytp_ticker *t) { return t->state == SUMS; }

/* In a forked child, which opens its own output, but for an exec. A program may fork before its own ticker's first
 * moment: so it is not always on. */
static void go_on(nytp_ticker *t) {
    int64_t moment = t->is_hurried ? 0 : (int64_t)nytp_clock_monotonic_ns() + MOMENT;
    for (sleep_until(t, moment); is_before_exec(t); sleep_until(t, moment)) set_state(t, ON);
    if (t->front.lock) t->front.lock();
    t->has_moved = nytp_sampler_move(&t->sampler, &t->what, &t->error) != NYTP_OK;
    if (!t->has_moved) nytp_session_on(&t->sampler.session, &t->error);
    if (t->front.unlock) t->front.unlock();
    t->is_inherited = t->is_hurried = 0;
    pthread_cond_broadcast(&t->changed);
}

/* With the lock. Only with an output of its own a child has a file to share. */
static void hurry(nytp_ticker *t) {
    t->is_hurried = t->is_inherited;
    pthread_cond_broadcast(&t->changed);
    while (t->is_inherited && t->state == ON) pthread_cond_wait(&t->changed, &t->lock);
}

/* A session that goes off by itself ends the thread, for which no other one waits then. */
static void take_sample(nytp_ticker *t) {
    if (nytp_sampler_sample(&t->sampler)) return;
    set_state(t, OFF);
    pthread_detach(pthread_self());
}

static void *run(void *self) {
    nytp_ticker *t = self;
    nytp_caught_prepare();
    pthread_mutex_lock(&t->lock);
    if (t->is_inherited) go_on(t);
    else begin(t);
    while (t->state == ON || is_before_exec(t)) {
        sleep_until(t, t->sampler.pace.next);
        if (t->state == ON) take_sample(t);
        if (!is_before_exec(t)) continue;
        nytp_sampler_sum_up(&t->sampler, NYTP_END_EXEC);
        set_state(t, ON);
    }
    if (t->state == LEAVES || t->state == RESTS) nytp_sampler_off(&t->sampler);
    if (t->state == RESTS) nytp_session_sum_up(&t->sampler.session.r, NYTP_END_FINISHED);
    if (t->state == GIVES) t->is_left = nytp_sampler_rest(&t->sampler);
    if (t->state == ENDS) nytp_sampler_end(&t->sampler);
    t->state = OFF;
    pthread_mutex_unlock(&t->lock);
    return NULL;
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

/* Forks in turns may be faster than the first moment of the children between, which so have not counted themselves. */
static int goes_on(nytp_ticker *t, int is_ours) {
    int64_t *depth = &t->sampler.session.options.forkdepth;
    if (t->state == ON && t->is_inherited && *depth > 0) --*depth;
    return is_ours && t->state == ON && *depth != 0;
}

/* A later interpreter that no thread has run may be run by any. */
static void is_ours_now(nytp_ticker *t, int is_free) {
    if (is_free && !t->what.tid) t->what.pid = getpid();
    else is_here_now(t);
}

/* The ticker of an interpreter that another thread runs is the parent's alone, as that thread is. */
static void go_on_in_child(nytp_ticker *t) {
    int is_free = t->front.is_free(t->front.front.self), is_ours = is_free || t->front.is_here(t->front.front.self);
    int is_on = goes_on(t, is_ours);
    make_condition(t);
    if (is_ours) is_ours_now(t, is_free);
    else nytp_handlers_drop(&t->sampler.session.r);
    t->is_inherited = 1;
    if (is_on) nytp_target_stay(&t->sampler.session.r);
    pthread_mutex_unlock(&t->lock);
    if (is_on && !nytp_worker_start(&t->thread, run, t)) return;
    t->state = OFF;
    t->has_moved = is_ours;
    if (is_ours) t->sampler.session.options.addpid = 1;
}

static void in_child(void) {
    for (nytp_ticker *t = process.all; t; t = t->next) go_on_in_child(t);
    pthread_mutex_unlock(&process.lock);
}

/* By the thread itself; the caller has no lock. */
static void stop(nytp_ticker *t, int state) {
    pthread_mutex_lock(&t->lock);
    while (is_before_exec(t)) pthread_cond_wait(&t->changed, &t->lock); /* of another thread */
    int is_on = t->state == ON;
    if (is_on) set_state(t, state);
    pthread_mutex_unlock(&t->lock);
    if (is_on) pthread_join(t->thread, NULL);
    t->is_inherited = 0;
}

static void at_exit(void) {
    pthread_mutex_lock(&process.lock);
    process.is_ending = 1;
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

/* Of threads of a process so many have a stream each, of some kilobytes; and none in a ring, where a stream has as many
 * as it needs for what was latest, and an ended thread is not. */
#define APART 128

static int is_for_several(const nytp_options *o, uint32_t number) { return number > (o->ring ? 0 : APART); }

static void add(nytp_ticker *t) {
    pthread_mutex_lock(&process.lock);
    t->next = process.all;
    process.all = t;
    pthread_mutex_unlock(&process.lock);
}

/* Off a list, with the lock. */
static void take_off(nytp_ticker **at, const nytp_ticker *t) {
    while (*at && *at != t) at = &(*at)->next;
    if (*at) *at = t->next;
}

/* A ticker that an ended thread has left, with a stream of that file; NULL: there is none. */
static nytp_ticker *take_left(const char *file) {
    pthread_mutex_lock(&process.lock);
    nytp_ticker *t = process.left;
    while (t && !nytp_relay_fits(&t->sampler.session.r, file)) t = t->next;
    if (t) take_off(&process.left, t);
    pthread_mutex_unlock(&process.lock);
    return t;
}

static nytp_ticker *make_again(const nytp_ticker_front *front, const nytp_options *options) {
    nytp_ticker *t = take_left(options->file);
    if (!t) return NULL;
    t->front = *front;
    t->what.perl = front->perl;
    t->has_moved = 1;
    t->is_left = 0;
    return t;
}

static nytp_ticker *make_new(const nytp_ticker_front *front, const nytp_options *options, uint32_t number,
                             nytp_error *e) {
    nytp_ticker *t = calloc(1, sizeof *t);
    if (!t || nytp_options_copy(&t->sampler.session.options, options)) {
        free(t);
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return NULL;
    }
    t->front = *front;
    t->what = (nytp_sampled){.perl = front->perl, .layout = front->layout};
    is_here_now(t);
    if (number) t->what.tid = 0;
    t->sampler.relays = is_for_several(options, number);
    t->sampler.session.threads = number;
    t->sampler.session.options.start = NYTP_START_BEGIN;
    pthread_mutex_init(&t->lock, NULL);
    make_condition(t);
    if (!nytp_sampler_open(&t->sampler, &t->what, "thread", e)) return t;
    nytp_options_free(&t->sampler.session.options);
    free(t);
    return NULL;
}

nytp_ticker *nytp_ticker_make(const nytp_ticker_front *front, const nytp_options *options, uint32_t number,
                              nytp_error *e) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    nytp_ticker *t = is_for_several(options, number) ? make_again(front, options) : NULL;
    if (!t) t = make_new(front, options, number, e);
    if (t) add(t);
    return t;
}

int nytp_ticker_on(nytp_ticker *t, nytp_error *e) {
    pthread_mutex_lock(&t->lock);
    if (t->state == OFF) {
        t->error = (nytp_error){0};
        t->state = BEGINS;
        t->is_inherited = 0;
        int code = nytp_worker_start(&t->thread, run, t);
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

static void switch_on(nytp_ticker *t) {
    nytp_error e = {0};
    char line[NYTP_ERROR_TEXT + 64];
    if (!nytp_ticker_on(t, &e)) return;
    snprintf(line, sizeof line, "NYTProf: sigtoggle: %s; pid %ld is not sampled", e.text, (long)getpid());
    nytp_log_line(&t->sampler.session.options, line);
}

void nytp_ticker_toggle(void) {
    int is_any_on = 0;
    pthread_mutex_lock(&process.lock);
    for (nytp_ticker *t = process.all; t; t = t->next) is_any_on |= nytp_ticker_is_on(t);
    for (nytp_ticker *t = process.all; t && !process.is_ending; t = t->next) {
        if (is_any_on) stop(t, RESTS);
        else if (t->what.pid == getpid()) switch_on(t);
    }
    pthread_mutex_unlock(&process.lock);
}

static void sum_up(nytp_ticker *t) {
    pthread_mutex_lock(&t->lock);
    if (t->state == ON) set_state(t, SUMS);
    while (is_before_exec(t)) pthread_cond_wait(&t->changed, &t->lock);
    pthread_mutex_unlock(&t->lock);
}

void nytp_ticker_before_exec(void) {
    pthread_mutex_lock(&process.lock);
    for (nytp_ticker *t = process.all; t; t = t->next) sum_up(t);
    pthread_mutex_unlock(&process.lock);
}

/* A stream that was left is complete. */
static void free_ticker(nytp_ticker *t) {
    nytp_recorder *r = &t->sampler.session.r;
    if (t->is_left && nytp_relay_is_of_this_process(r)) nytp_output_close(r);
    if (t->sampler.weight.manner) nytp_sampler_end(&t->sampler); /* it was off */
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

/* Returns what is to be freed: t, unless a later thread may take it, and all of those when there is no thread left. */
static nytp_ticker *leave(nytp_ticker *t) {
    nytp_ticker *unused = NULL;
    pthread_mutex_lock(&process.lock);
    if (t->is_left) {
        t->next = process.left;
        process.left = t;
    }
    if (!process.all) {
        unused = process.left;
        process.left = NULL;
    }
    pthread_mutex_unlock(&process.lock);
    if (t->is_left) return unused;
    t->next = unused;
    return t;
}

void nytp_ticker_end(nytp_ticker *t) {
    if (!t) return;
    pthread_mutex_lock(&process.lock);
    take_off(&process.all, t);
    pthread_mutex_unlock(&process.lock);
    stop(t, GIVES);
    for (nytp_ticker *unused = leave(t), *next; unused; unused = next) {
        next = unused->next;
        free_ticker(unused);
    }
}

void nytp_ticker_share(nytp_ticker *t, nytp_outlet *outlet) {
    pthread_mutex_lock(&t->lock);
    hurry(t);
    if (t->front.lock) t->front.lock();
    t->front.front.outlet = outlet;
    nytp_target_share(&t->sampler.session.r, outlet);
    if (t->front.unlock) t->front.unlock();
    pthread_mutex_unlock(&t->lock);
}

nytp_sampler *nytp_ticker_sampler(nytp_ticker *t) { return &t->sampler; }
