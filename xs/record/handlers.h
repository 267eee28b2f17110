/* SPDX-License-Identifier: MIT */
/* handlers.h - forks and exit(), whose handlers have no argument: they are for all recorders of this process.
 *
 * A recorder is in the list from its first output until it is closed. Before a fork the page for lags is made where the
 * front end waits for children; in the child the next event notices the new process, and nytp_front.in_child is called;
 * at exit() nytp_front.at_exit. */
#ifndef NYTP_RECORD_HANDLERS_H
#define NYTP_RECORD_HANDLERS_H

#include "record/recorder.h"

void nytp_handlers_join(nytp_recorder *r);
void nytp_handlers_leave(nytp_recorder *r);

/* The process ends: calls nytp_front.at_exit. */
void nytp_handlers_end(int by_signal);

/* For a handler of signals: whether there is a recorder; and the next event is asked for (nytp_front.hurry). */
int nytp_handlers_are_needed(void);
void nytp_handlers_hurry(void);

#endif
