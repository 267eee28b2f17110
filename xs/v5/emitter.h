/* SPDX-License-Identifier: MIT */
/* emitter.h - an event callback with a sticky error, for events of format 5. */
#ifndef NYTP_V5_EMITTER_H
#define NYTP_V5_EMITTER_H

#include "base/error.h"
#include "v5/event.h"

/* Takes one event; strings in it are borrowed for the call. A value other than 0 is an error code, and ends the
 * events. */
typedef int nytp_v5_callback(void *self, const nytp_v5_event *e);

typedef struct nytp_emitter {
    nytp_v5_callback *callback;
    void *self;
    int64_t left; /* statements and calls that may still be emitted */
    int32_t code; /* sticky: NYTP_NOMEM, NYTP_FORMAT if `left` does not suffice, or what the callback returned */
} nytp_emitter;

static inline void nytp_emitter_event(nytp_emitter *t, const nytp_v5_event *e) {
    if (!t->code) t->code = t->callback(t->self, e);
}

/* Announces n statements or calls; sets the error if fewer are left. */
static inline void nytp_emitter_claim(nytp_emitter *t, int64_t n) {
    if (t->code) return;
    if (n > t->left) t->code = NYTP_FORMAT;
    else t->left -= n;
}

static inline void nytp_emitter_no_memory(nytp_emitter *t) {
    if (!t->code) t->code = NYTP_NOMEM;
}

#endif
