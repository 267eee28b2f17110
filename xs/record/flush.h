/* SPDX-License-Identifier: MIT */
/* flush.h - writing a window: what changed since the last one. */
#ifndef NYTP_RECORD_FLUSH_H
#define NYTP_RECORD_FLUSH_H

#include "record/recorder.h"

/* No function here fails for its caller: a broken output is reported once (nytp_front.say), and counting goes on. errno
 * stays as it was.
 *
 * Everything up to now is written when this returns, unless the output is broken. For moments after which there may be
 * no other; nytp_flush (recorder.h) does the same when a window is due. */
void nytp_flush_all(nytp_recorder *r);

/* As nytp_flush_all, and every file, with its source, and every sub is defined too, called or not. */
void nytp_flush_last(nytp_recorder *r);

/* The number of calls of n, wraps of its counter included; for the root in the current output only. */
int64_t nytp_flush_calls(const nytp_recorder *r, const nytp_live_node *n);

/* Writes calls counted before this output was opened, in a chunk of their own, without a window. */
void nytp_flush_carried_over(nytp_recorder *r);

/* Whether to flush before an operation that may block for long: up to 30 times in a row, later as often as ordinary
 * windows come. So the profile of a server that answers a few requests and then waits until it is killed is complete,
 * and the file of a busy server stays small. */
int nytp_flush_due(const nytp_recorder *r, int64_t now);

/* Flushes before a wait, at an event that has been counted. */
void nytp_flush_before_wait(nytp_recorder *r, int64_t now);

/* Has just been switched off by the program, which may stay so until it ends: flushes if nytp_flush_due. */
void nytp_flush_while_off(nytp_recorder *r);

/* Counts such a flush that the front end makes itself. */
void nytp_flush_count_wait(nytp_recorder *r, int64_t now);

#endif
