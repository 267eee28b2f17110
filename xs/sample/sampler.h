/* SPDX-License-Identifier: MIT */
/* sampler.h - a profile made of samples: a front end that looks where a perl is, instead of being told.
 *
 * When a window is due its time is charged to where samples have found the program (looks.h). Nothing is counted but
 * samples: how often statements ran and subs were called is not known, and those counts are 0. What the time went to is
 * in counters of lines and calls: CPU time, time waiting, and time without a CPU, which another program had.
 *
 * All calls are in one thread, which need not be the program's, until the session is off. */
#ifndef NYTP_SAMPLE_SAMPLER_H
#define NYTP_SAMPLE_SAMPLER_H

#include <time.h>

#include "record/session.h"
#include "sample/found.h"
#include "sample/looks.h"
#include "sample/mend.h"
#include "sample/pace.h"
#include "sample/weight.h"

/* What is sampled: a thread with an interpreter. */
typedef struct nytp_sampled {
    pid_t pid, tid;            /* tid 0: not known, nor what it waits for */
    clockid_t cpu;             /* its CPU time, if tid is known: */
    enum nytp_clock_is cpu_is; /* its own, or that of its process */
    nytp_perl_at perl;
    const nytp_perl_layout *layout; /* borrowed */
    int is_elsewhere;               /* 1: names of its files are those of another root directory */
} nytp_sampled;

typedef struct nytp_sampler {
    nytp_session session; /* first: functions of the front end get this address */
    nytp_subject target;
    nytp_pace pace;
    nytp_stack stack;
    nytp_mender mender;
    nytp_found contexts;
    nytp_standing at;      /* of the latest sample */
    enum nytp_caught state; /* then */
    int is_crowded;        /* in the latest window the thread had to wait for the CPU */
    nytp_looks looks;      /* whose time is not charged yet */
    nytp_front language;  /* what the front end of the language says of itself */
    nytp_weight weight;
    nytp_caught_files caught;
    int relays; /* 1: the stream is for later threads, too, where it may be (record/relay.h) */
} nytp_sampler; /* all zero before it is opened */

/* Looks whether that can be sampled at all. manner is thread or attach. The options may be set before. */
int nytp_sampler_open(nytp_sampler *s, const nytp_sampled *what, const char *manner, nytp_error *e);

/* Begins the output, or goes on with it, as nytp_session_start and nytp_session_on do. language has what the front end
 * of the language says of itself; its describe gets its own self. */
int nytp_sampler_on(nytp_sampler *s, const nytp_front *language, nytp_error *e);

/* It is another thread now, as in a forked child. An nytp_code. */
int nytp_sampler_move(nytp_sampler *s, const nytp_sampled *what, nytp_error *e);

/* One sample, and the plan for the next (pace.next). 0: the session is off, as memory is short or as a child can make
 * no file, which the log has told. */
int nytp_sampler_sample(nytp_sampler *s);

/* All is written, with the end of how, an enum nytp_end; the session goes on, as after an exec that fails. */
void nytp_sampler_sum_up(nytp_sampler *s, int how);

/* The thread has ended: all is written, with the end, and the stream waits for another thread, which begins by
 * nytp_sampler_move and _on. 0: it cannot, and is ended as by nytp_sampler_end. */
int nytp_sampler_rest(nytp_sampler *s);

/* Switches off: all is written. Ends the profile, and frees everything. */
void nytp_sampler_off(nytp_sampler *s);
void nytp_sampler_end(nytp_sampler *s);

#endif
