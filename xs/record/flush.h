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

/* When the window that begins now is due. */
int64_t nytp_flush_next(const nytp_recorder *r, int64_t now);

/* As nytp_flush_all, and every file, with its source, and every sub is defined too, called or not. */
void nytp_flush_last(nytp_recorder *r);

/* The last window's draft is final, as the file is going to be closed: what it has is not for the next one. */
void nytp_flush_settle(nytp_recorder *r);

/* A message that the output is broken, the first time. */
void nytp_flush_say_once(nytp_recorder *r);

/* Writes calls counted before this output was opened, in a chunk of their own, without a window. */
void nytp_flush_carried_over(nytp_recorder *r);

/* Whether to flush before an operation that may block for long: up to 30 times in a row, later ten times a second, or
 * less often if it takes long. So the profile of a server that answers a few requests and then waits until it is killed
 * is complete, and the file of a busy server stays small: most of these windows are drafts. */
int nytp_flush_due(const nytp_recorder *r, int64_t now);

/* Flushes before a wait, at an event that has been counted. */
void nytp_flush_before_wait(nytp_recorder *r, int64_t now);

/* Has just been switched off by the program, which may stay so until it ends: flushes if nytp_flush_due. */
void nytp_flush_while_off(nytp_recorder *r);

/* Counts such a flush that the front end makes itself. */
void nytp_flush_count_wait(nytp_recorder *r, int64_t now);

#endif
