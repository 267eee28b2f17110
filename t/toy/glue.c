/* SPDX-License-Identifier: MIT */
/* glue.c - the profiler in the toy interpreter: all that its authors write, with the installed library. */
#include "toy.h"

#include <stdio.h>
#include <stdlib.h>

#include "record/session.h"

static nytp_session session;
static nytp_live_place *places[TOY_LINES];
static nytp_live_sub *subs[TOY_SUBS];
static nytp_where back[TOY_THREADS][TOY_DEPTH]; /* for each call: the place and node to which it returns */
static nytp_where left[TOY_THREADS];            /* for each coroutine: the place and node at which it was left */

enum { WORDS, STACK };
static const nytp_counter counters[] = {
    [WORDS] = {"words", "Words executed", "", NYTP_OF_PLACE | NYTP_OF_NODE, NYTP_ADDS_SUM},
    [STACK] = {"stack", "Deepest stack", "", NYTP_OF_PLACE | NYTP_OF_NODE | NYTP_OF_PROCESS, NYTP_ADDS_MAX},
    {0},
};

/* ---- files, places and subs ---- */

static nytp_live_file *file_of(const toy *t) { return nytp_session_file(&session, t->path); }

static int first_line(const toy *t, int line) {
    for (int i = 1; i < t->sub_n; i++)
        if (t->subs[i].first <= line && line <= t->subs[i].last) return t->subs[i].first;
    return line;
}

static nytp_live_place *place_of(const toy *t, int line) {
    if (!places[line])
        places[line] = nytp_session_place(&session, file_of(t), (uint32_t)line, (uint32_t)first_line(t, line));
    return places[line];
}

static nytp_live_sub *sub_of(const toy *t, int i) {
    const toy_sub *s = &t->subs[i];
    if (!subs[i]) subs[i] = nytp_session_sub(&session, s, s->name, file_of(t), (uint32_t)s->first, (uint32_t)s->last);
    return subs[i];
}

/* ---- events ---- */

void toy_statement(const toy *t, int line) { nytp_session_statement(&session, place_of(t, line)); }

void toy_word(const toy *t) {
    nytp_session_count(&session, WORDS, 1);
    nytp_session_count(&session, STACK, t->top);
}

void toy_entered(const toy *t) {
    const toy_thread *thread = t->threads[t->current];
    int sub = thread->calls[thread->depth].sub;
    back[t->current][thread->depth] = nytp_session_call(&session, sub_of(t, sub));
}

void toy_left(const toy *t) { nytp_session_return(&session, back[t->current][t->threads[t->current]->depth + 1]); }

void toy_changes(const toy *t, int from, int to) {
    (void)t;
    left[from] = nytp_session_switch(&session, left[to]);
}

/* ---- the start; forks, signals and the end are the session's ---- */

void toy_profiles(const toy *t, int on) {
    nytp_error e = {0};
    (void)t;
    if (!on) nytp_session_off(&session);
    else if (nytp_session_on(&session, &e)) fprintf(stderr, "toy: not profiled: %s\n", e.text);
}

void toy_starts(const toy *t) {
    const nytp_front front = {.program = nytp_str_c(t->path), .interpreter = nytp_str_c("toy 1"),
                              .root = nytp_str_c("(program)"), .comment = nytp_str_c("%"), .counters = counters};
    nytp_error e = {0};
    if (!getenv("NYTPROF")) return;
    if (nytp_session_start(&session, &front, &e)) fprintf(stderr, "toy: not profiled: %s\n", e.text);
}
