/* SPDX-License-Identifier: MIT */
/* session.h - a profile from its options to the end of its file: the work of every front end around a recorder.
 *
 * A front end with nothing unusual needs this header alone (t/toy has one):
 *
 *   nytp_session_start    reads NYTPROF, opens the recorder and, unless the options say start=no, switches it on
 *   _file, _place, _sub   define files, statements and subs, once each; the front end keeps the results
 *   _eval, _source, _line the same for evaluated texts, sources of other origin, the statements of a sub by line
 *   _statement, _call, _return, _switch   report events; one clock reading each
 *   _count                counts more than time, by rows of front.counters: counters.h
 *   _off, _on             the program does not want to be profiled for a while
 *   _stop                 at the end of the program; at exit(), and with option sigexit at a signal, the profile is
 *                         completed without it, unless the session has its events in another thread that still runs
 *
 * A front end with more needs (Perl, Lua) has its own nytp_recorder and nytp_options and uses the parts. A session is
 * for one thread at a time. A library that contains one stays loaded (ld's -z nodelete), as handlers of fork, exit and
 * the ends of threads lead into it. Functions that can fail return an nytp_code, or NULL, which the others accept: then
 * nothing is recorded. The program goes on in any case. */
#ifndef NYTP_RECORD_SESSION_H
#define NYTP_RECORD_SESSION_H

#include "record/counters.h"
#include "record/events.h"
#include "record/nodes.h"

typedef struct nytp_session {
    nytp_recorder r;
    nytp_options options;       /* of the first; may be set before it is started, else they are read then */
    struct nytp_session *first; /* that this is another thread of; NULL: this is it */
    uint32_t threads;           /* of the first: streams begun, its own among them */
} nytp_session; /* all zero before it is started */

/* front has the program, the interpreter and any functions that the front end brings itself, of which front.h says what
 * they do if they are NULL; their self is the session. Forked children have a profile as the option forkdepth says. On
 * an error the session is to be stopped, too. */
int nytp_session_start(nytp_session *s, const nytp_front *front, nytp_error *e);

/* The same, but it stays off: the first of several threads that are recorded. */
int nytp_session_open(nytp_session *s, const nytp_front *front, nytp_error *e);

/* Another thread of the same program: with the front, options, clock and prices of `first`, which is stopped after it
 * and need not be on, a stream of its own in the front's outlet. Those of a program start one at a time. */
int nytp_session_start_thread(nytp_session *s, nytp_session *first, nytp_error *e);

/* The same for calibration: it counts, and has no output. */
int nytp_session_rehearse(nytp_session *s, nytp_session *first, nytp_error *e);

/* Off: nothing is counted, and reports leave the time out; what was counted is written as before a wait. On: an
 * nytp_code. A session with the option start=no is off until it is switched on. */
void nytp_session_off(nytp_session *s);
int nytp_session_on(nytp_session *s, nytp_error *e);

/* Writes the last window, ends the file and frees everything; the session is all zero then and may be started again. */
void nytp_session_stop(nytp_session *s);

/* ---- things ---- */

/* The file of that path, with its source. Owned by the session, as are all results here. */
nytp_live_file *nytp_session_file(nytp_session *s, const char *path);

/* The statement of that line, in the sub that begins at sub_line. Each call makes a new place. */
nytp_live_place *nytp_session_place(nytp_session *s, const nytp_live_file *file, uint32_t line, uint32_t sub_line);

/* The sub with code at that address, made if it is new. A sub without a file is written in C. */
nytp_live_sub *nytp_session_sub(nytp_session *s, const void *code, const char *name, const nytp_live_file *file,
                                uint32_t first, uint32_t last);

/* The file of a text that the current statement evaluates: named after that, with the text as its source. */
nytp_live_file *nytp_session_eval(nytp_session *s, nytp_str text);

/* The source of a file that is not on the disk. */
void nytp_session_source(nytp_session *s, nytp_live_file *file, nytp_str text);

/* The statements of a body of code by line, from `first` on; owned by the session. */
typedef struct nytp_live_lines {
    nytp_live_place **at; /* NULL for lines without a statement so far */
    uint32_t n, first;
} nytp_live_lines; /* all zero but `first` */

/* The statement of that line, in the sub that begins at sub_line, made if it is new. Lines before the first share one
 * statement, and so do lines more than a million behind it. */
nytp_live_place *nytp_session_line(nytp_session *s, nytp_live_lines *lines, const nytp_live_file *file, uint32_t line,
                                   uint32_t sub_line);

/* The statement of that line if it has been made and does not share; else NULL. */
static inline nytp_live_place *nytp_known_line(const nytp_live_lines *lines, uint32_t line) {
    uint32_t i = line - lines->first;
    return NYTP_LIKELY(i < lines->n) ? lines->at[i] : NULL;
}

/* ---- events ---- */

/* A calling context and a statement in it: where a call returns to, or a coroutine goes on. */
typedef struct nytp_where {
    nytp_live_node *node;
    nytp_live_place *place;
} nytp_where; /* all zero: not known */

/* This may be a forked child, or a signal has come that ends the program (option sigexit). */
void nytp_session_attend(nytp_session *s);

/* Either is noticed here, before the next event is counted. */
static inline int nytp_session_is_on(nytp_session *s) {
    if (NYTP_UNLIKELY(nytp_may_have_forked(&s->r))) nytp_session_attend(s);
    return NYTP_LIKELY(s->r.on);
}

static inline void nytp_session_statement(nytp_session *s, nytp_live_place *p) {
    if (nytp_session_is_on(s) && p) nytp_statement(&s->r, p, nytp_now(&s->r));
}

/* The context of a call of sub from here, made if it is new; NULL when memory is short. */
nytp_live_node *nytp_session_context(nytp_session *s, nytp_live_sub *sub);

/* A call begins. The result is for nytp_session_return when the call ends, also by an exception. */
static inline nytp_where nytp_session_call(nytp_session *s, nytp_live_sub *sub) {
    nytp_recorder *r = &s->r;
    if (!nytp_session_is_on(s) || !sub) return (nytp_where){NULL, NULL};
    nytp_where here = {r->node, r->place};
    enum nytp_event event = sub->flags & NYTP_SUB_XSUB ? NYTP_EVENT_LEAF_ENTER : NYTP_EVENT_ENTER;
    nytp_live_node *n = nytp_cached_child(r->node, r->place, sub->key);
    if (NYTP_UNLIKELY(!n) && !(n = nytp_session_context(s, sub))) return (nytp_where){NULL, NULL};
    nytp_begin_call(r, n, nytp_now(r), event);
    r->place->events[event]++;
    nytp_touch_place(r, r->place);
    return here;
}

/* A call ends. While switched off it is not counted, but the session keeps track of its position. */
static inline void nytp_session_return(nytp_session *s, nytp_where to) {
    if (!to.node) return;
    int is_leaf = (s->r.node->sub->flags & NYTP_SUB_XSUB) != 0;
    if (nytp_session_is_on(s))
        nytp_end_call(&s->r, to.node, to.place, nytp_now(&s->r), is_leaf ? NYTP_EVENT_LEAF_EXIT : NYTP_EVENT_EXIT);
    else s->r.node = to.node, s->r.place = to.place;
}

/* Another coroutine goes on at `to`; a new one begins at the current position. Returns the position of the one left.
 * While switched off, too, the session keeps track of its position. */
static inline nytp_where nytp_session_switch(nytp_session *s, nytp_where to) {
    int is_on = nytp_session_is_on(s);
    nytp_where here = {s->r.node, s->r.place};
    if (to.node && is_on) nytp_jump(&s->r, to.node, to.place, nytp_now(&s->r));
    else if (to.node) s->r.node = to.node, s->r.place = to.place;
    return here;
}

/* Adds to the counter at that index of the front end's table, for the current place and node. */
static inline void nytp_session_count(nytp_session *s, uint32_t counter, int64_t by) {
    if (nytp_session_is_on(s)) nytp_counters_count(&s->r, counter, by);
}

/* What may take long, like waiting for a client, has begun: what was counted is written, so that a program that is
 * killed while it waits keeps it. */
void nytp_session_waits(nytp_session *s);

/* ---- the parts ---- */

/* Writes the last window and the records at the end of the file, if one is open; how is an enum nytp_end. The file
 * stays open, as a program goes on after an exec that fails. Keeps errno. */
void nytp_session_sum_up(nytp_recorder *r, int how);

/* The same for a program that has finished, but may still run code: what comes is added by nytp_session_finish. */
void nytp_session_before_end(nytp_recorder *r);

/* Switches off, sums up as finished, unless nothing came since that was done, and closes the file, if one is open. */
void nytp_session_finish(nytp_recorder *r);

#endif
