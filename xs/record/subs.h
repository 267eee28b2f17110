/* SPDX-License-Identifier: MIT */
/* subs.h - subs: one for every body under every name it goes by. */
#ifndef NYTP_RECORD_SUBS_H
#define NYTP_RECORD_SUBS_H

#include "record/recorder.h"

/* The sub with that key, or NULL. */
nytp_live_sub *nytp_subs_find(const nytp_recorder *r, nytp_subkey key);

/* The newest sub of that name, or NULL. */
nytp_live_sub *nytp_subs_named(const nytp_recorder *r, nytp_str name);

/* A new sub; what's id and ordinal are ignored, its names copied. Another living body of the same name makes it number
 * two, three ... of that name. Past NYTP_SUBS_VARIANTS of them, in evals that are folded, and where it had no body yet
 * (it was known by name only), the last one takes the new body over. NULL when memory is short (the recorder is then
 * dead). */
nytp_live_sub *nytp_subs_add(nytp_recorder *r, nytp_subkey key, const nytp_rec_sub *what);
#define NYTP_SUBS_VARIANTS 100

/* The code at that address is being freed: whatever is compiled there next is another sub. */
void nytp_subs_forget(nytp_recorder *r, const void *body);

#endif
