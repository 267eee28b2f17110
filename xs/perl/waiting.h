/* SPDX-License-Identifier: MIT */
/* waiting.h - how long C code (slow built-ins, subs in C) has waited, and for what kind of thing (option waiting): what
 * sample/blocked.h does, at perl's events. */
#ifndef NYTP_PERL_WAITING_H
#define NYTP_PERL_WAITING_H

#include "perl/glue.h"
#include "sample/blocked.h"

#define NYTP_WAITING_NO_HANDLES (-2) /* of select that only sleeps */

typedef struct nytp_waiting {
    nytp_blocked blocked;
    int fd; /* of the handle that the latest built-in used; -1: none, or ... */
} nytp_waiting;

/* Profiling has been switched on, or goes on in a forked child. Does nothing without the option; with too little memory
 * nothing is counted. */
void nytp_waiting_begin(nytp_glue *g);
void nytp_waiting_free(nytp_glue *g);

/* Around all that the recorder writes, whose waiting is not counted. */
void nytp_waiting_writes(nytp_glue *g, int begins);

/* For the recorder: the current node is C code that was left by an exception. */
void nytp_waiting_left(void *glue);

/* ---- events ---- */

/* The current node is C code, which ends now, or calls Perl code. */
NYTP_HOT int64_t nytp_waiting_after(nytp_glue *g, int64_t now) {
    if (NYTP_UNLIKELY(!g->waiting)) return now;
    return nytp_blocked_after(&g->waiting->blocked, &g->r, now - nytp_node_since(&g->r), now);
}

/* A call is about to begin, perhaps from C code. */
NYTP_HOT int64_t nytp_waiting_calls(nytp_glue *g, int64_t now) {
    const nytp_live_frame *f = nytp_current_frame(&g->r);
    return f && f->leaf ? nytp_waiting_after(g, now) : now;
}

/* C code is about to begin. */
NYTP_HOT int64_t nytp_waiting_before(nytp_glue *g, int64_t now) {
    now = nytp_waiting_calls(g, now);
    return NYTP_UNLIKELY(g->waiting != NULL) ? nytp_blocked_before(&g->waiting->blocked, &g->r, now) : now;
}

#endif
