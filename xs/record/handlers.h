/* SPDX-License-Identifier: MIT */
/* handlers.h - forks, exit() and ends of threads, whose handlers have no argument: they are for all recorders of this
 * process.
 *
 * A recorder is in the list from its first output until it is closed. Before a fork the page for lags is made where the
 * front end waits for children; in the child the next event notices the new process, and nytp_front.in_child is called;
 * at exit() nytp_front.at_exit. */
#ifndef NYTP_RECORD_HANDLERS_H
#define NYTP_RECORD_HANDLERS_H

#include "record/recorder.h"

/* Into the list, owned by this thread. */
void nytp_handlers_join(nytp_recorder *r);

/* Off the list, to be completed by this thread: waits for an exit() that completes it now. A later exit() in another
 * thread waits until nytp_handlers_left, which nytp_recorder_close calls, but 10 s at most. */
void nytp_handlers_leave(nytp_recorder *r);
void nytp_handlers_left(nytp_recorder *r);

/* r has events in this thread now. Cheap, takes no lock. */
void nytp_handlers_own(nytp_recorder *r);

/* The same for an r that another thread may have had: waits until that thread, if it ends now, has written its window.
 * Not in a function of a front end that is called by these handlers. */
void nytp_handlers_arrive(nytp_recorder *r);

/* For nytp_front.in_child: whether r has events in this thread; and takes r off the list, as it is the parent's. */
int nytp_handlers_is_here(const nytp_recorder *r);
void nytp_handlers_drop(nytp_recorder *r);

/* For nytp_front.at_exit: whether r has events in this thread, or had them in one that has ended, or that waits. */
int nytp_handlers_may_touch(nytp_recorder *r);

/* The thread of r is going to wait for something, without an event; and goes on: 0 if another thread has completed r
 * meanwhile. */
enum nytp_rest { NYTP_REST_NO, NYTP_REST_WAITS, NYTP_REST_TAKEN, NYTP_REST_DONE };
void nytp_handlers_rest(nytp_recorder *r);
int nytp_handlers_wake(nytp_recorder *r);
static inline int nytp_handlers_is_taken(const nytp_recorder *r) { return r->rest == NYTP_REST_TAKEN; }

/* Keeps the handlers off r, whose bytes its thread puts elsewhere for a moment: forks, exits and ends of other threads
 * wait. A handler of signals does not wait, so r notices behind it. The lock is held in between: no other function of
 * these, and no fork. */
void nytp_handlers_hold(nytp_recorder *r);
void nytp_handlers_release(nytp_recorder *r);

enum nytp_asked { NYTP_ASKED_NOTHING, NYTP_ASKED_END, NYTP_ASKED_WINDOW }; /* of a recorder, by another thread */

/* At an event, behind its window: completes r if exit() has asked for it. */
void nytp_handlers_answer(nytp_recorder *r);

/* Before exec: other threads write a window at their next event. Waits for those that have one within 20 ms. */
void nytp_handlers_flush_others(void);

/* Installs them, once. A lock that is held while a recorder joins is to have handlers of fork that are installed
 * later, so that they run around these. */
void nytp_handlers_install(void);

/* The process ends: calls nytp_front.at_exit. */
void nytp_handlers_end(int by_signal);

/* For a handler of signals: whether there is a recorder; and the next event is asked for (nytp_front.hurry). */
int nytp_handlers_are_needed(void);
void nytp_handlers_hurry(void);

#endif
