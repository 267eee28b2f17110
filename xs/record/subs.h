/* SPDX-License-Identifier: MIT */
/* subs.h - subs: one for every body and name. */
#ifndef NYTP_RECORD_SUBS_H
#define NYTP_RECORD_SUBS_H

#include "record/recorder.h"

/* The sub with that key, or NULL. */
nytp_live_sub *nytp_subs_find(const nytp_recorder *r, nytp_subkey key);

/* The newest sub of that name, or NULL. */
nytp_live_sub *nytp_subs_named(const nytp_recorder *r, nytp_str name);

/* A new sub; what's id and ordinal are ignored, its names copied. Another living body of the same name makes it number
 * two, three ... of that name. Past NYTP_SUBS_VARIANTS of them, in folded evals, where subs come and go, and for a sub
 * without a body (known by name only), the last sub takes the new body. NULL when memory is short (the recorder is then
 * dead). */
nytp_live_sub *nytp_subs_add(nytp_recorder *r, nytp_subkey key, const nytp_rec_sub *what);
#define NYTP_SUBS_VARIANTS 100

/* 1: the program has made and freed so many subs of that file and these lines that another one of them should share a
 * name, or memory would grow without end: in packages made for a request, or for `use` in an eval, a BEGIN block. */
int nytp_subs_come_and_go(const nytp_recorder *r, const nytp_rec_sub *what);

/* The code at that address is being freed: code compiled there later is another sub. */
void nytp_subs_forget(nytp_recorder *r, const void *body);

enum nytp_had_body { NYTP_SUBS_NEVER, NYTP_SUBS_CALLED, NYTP_SUBS_RESTING };

/* All code is of an interpreter that has ended, and another one is going to have the same. A sub that is added with the
 * name, file and lines of one that rests is that one, whatever its key. */
void nytp_subs_rest(nytp_recorder *r);

/* Whether a sub of that name has been added and does not rest. */
int nytp_subs_in_use(const nytp_recorder *r, nytp_str name);

/* Subs by id, from 1 to the number of them. */
static inline uint32_t nytp_subs_count(const nytp_recorder *r) { return r->subs.n; }

static inline const nytp_live_sub *nytp_subs_get(const nytp_recorder *r, uint32_t id) { return r->subs.list[id]; }

/* The same, for a front end that goes on with it. */
static inline nytp_live_sub *nytp_subs_at(const nytp_recorder *r, uint32_t id) { return r->subs.list[id]; }

#endif
