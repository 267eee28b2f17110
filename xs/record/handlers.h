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

/* Off the list, to be completed by this thread: waits for an exit() that completes it now. A later exit() waits until
 * nytp_handlers_left, which nytp_recorder_close calls. */
void nytp_handlers_leave(nytp_recorder *r);
void nytp_handlers_left(nytp_recorder *r);

/* r has events in this thread now. Cheap, takes no lock. */
void nytp_handlers_own(nytp_recorder *r);

/* For nytp_front.at_exit: whether r has events in this thread, or had them in one that has ended. */
int nytp_handlers_may_touch(const nytp_recorder *r);

/* Installs them, once. A lock that is held while a recorder joins is to have handlers of fork that are installed
 * later, so that they run around these. */
void nytp_handlers_install(void);

/* The process ends: calls nytp_front.at_exit. */
void nytp_handlers_end(int by_signal);

/* For a handler of signals: whether there is a recorder; and the next event is asked for (nytp_front.hurry). */
int nytp_handlers_are_needed(void);
void nytp_handlers_hurry(void);

#endif
