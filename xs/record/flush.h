/* SPDX-License-Identifier: MIT */
/* flush.h - writing a window: what changed since the last one. */
#ifndef NYTP_RECORD_FLUSH_H
#define NYTP_RECORD_FLUSH_H

#include "record/recorder.h"

/* None of these fails for its caller: a broken output is told to the front end once (nytp_front.say), and counting goes
 * on. errno stays as it was.
 *
 * Everything up to now is on disk when this returns, if the disk plays along. Besides nytp_flush (recorder.h), which
 * does the same when a window's time is up, for moments after which there may be no other. */
void nytp_flush_all(nytp_recorder *r);

/* As nytp_flush_all, and every file, with its source, and every sub is defined too, called or not. */
void nytp_flush_last(nytp_recorder *r);

/* How often n was called, however often its counter has wrapped round; of the root's outputs the current one. */
int64_t nytp_flush_calls(const nytp_recorder *r, const nytp_live_node *n);

/* Calls counted before this output was opened belong to it as well: a chunk of their own, without a window. */
void nytp_flush_carried_over(nytp_recorder *r);

/* Whether to flush before an operation that may block for long: up to 30 times in a row, later as often again as
 * windows come anyway. So a server that answers a few times and then waits until it is killed has all answers in its
 * profile, and the file of one that is always busy stays small. */
int nytp_flush_due(const nytp_recorder *r, int64_t now);

/* It is written now, at an event that has been counted ... */
void nytp_flush_before_wait(nytp_recorder *r, int64_t now);

/* ... or soon, by the front end. */
void nytp_flush_count_wait(nytp_recorder *r, int64_t now);

#endif
