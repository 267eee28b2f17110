/* SPDX-License-Identifier: MIT */
/* ticker.h - a thread that samples another one of its own process, which it neither stops nor asks.
 *
 * All signals are blocked in it, it has a small stack, and it owns the recorder, so windows are written also while the
 * program waits. No thread survives a fork or an exec: in a forked child another one begins, a moment later, so that a
 * child that is there for an exec leaves nothing. At exit() of the C library all tickers end. */
#ifndef NYTP_SAMPLE_TICKER_H
#define NYTP_SAMPLE_TICKER_H

#include <pthread.h>

#include "sample/sampler.h"

typedef struct nytp_ticker nytp_ticker;

/* What the front end of the language brings. Its functions are called in the ticker's thread, but for is_here
 * and is_free. */
typedef struct nytp_ticker_front {
    nytp_front front; /* self is the functions' first argument */
    /* In a forked child, in the thread that has forked: whether that thread runs what is sampled. */
    int (*is_here)(void *self);
    /* There, too: whether no thread has run it at the fork, so that any thread of the child may. */
    int (*is_free)(void *self);
    /* Around the opening of an output; both NULL: nothing is locked. */
    void (*lock)(void);
    void (*unlock)(void);
    nytp_perl_at perl;
    const nytp_perl_layout *layout; /* borrowed */
} nytp_ticker_front;

/* One for the calling thread, number 0 of the process, or for a later thread by its number, of which nothing else is
 * known: so its CPU time is not counted. It does not sample yet. The options are copied. A stream that an ended thread
 * has left may be that of the later one. NULL with the error. */
nytp_ticker *nytp_ticker_make(const nytp_ticker_front *front, const nytp_options *options, uint32_t number,
                              nytp_error *e);

/* Begins, or goes on: when it returns the output is open, or the error is set. */
int nytp_ticker_on(nytp_ticker *t, nytp_error *e);
int nytp_ticker_is_on(const nytp_ticker *t);

/* Ends the thread: what was counted is written. */
void nytp_ticker_off(nytp_ticker *t);

/* The same, and the profile is complete. Frees it, or keeps it with its stream for later threads; takes NULL, too. */
void nytp_ticker_end(nytp_ticker *t);

/* Before exec, which ends all threads: each thread that samples writes what it has, and goes on. */
void nytp_ticker_before_exec(void);

/* For a signal, of all tickers of the process: stops those that sample, each with a complete profile; if none does, all
 * begin, or go on. */
void nytp_ticker_toggle(void);

/* Its file becomes that of the outlet, for later threads. */
void nytp_ticker_share(nytp_ticker *t, nytp_outlet *outlet);

/* For the functions of its front. */
nytp_sampler *nytp_ticker_sampler(nytp_ticker *t);

#endif
