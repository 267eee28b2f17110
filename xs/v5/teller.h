/* SPDX-License-Identifier: MIT */
/* teller.h - the function that takes the events of a file of format 5, until something goes wrong. */
#ifndef NYTP_V5_TELLER_H
#define NYTP_V5_TELLER_H

#include "base/error.h"
#include "v5/event.h"

/* Takes one event; strings in it are borrowed for the call. Anything but 0 ends the telling. */
typedef int nytp_tell(void *self, const nytp_v5_event *e);

typedef struct nytp_teller {
    nytp_tell *tell;
    void *self;
    int64_t left; /* so many statements and calls may still be told */
    int32_t code; /* sticky: NYTP_NOMEM, NYTP_FORMAT for more than that, or what tell returned that was not 0 */
} nytp_teller;

static inline void nytp_teller_say(nytp_teller *t, const nytp_v5_event *e) {
    if (!t->code) t->code = t->tell(t->self, e);
}

/* n statements or calls are going to be told; none are, and nothing else, where not so many are left. */
static inline void nytp_teller_claim(nytp_teller *t, int64_t n) {
    if (t->code) return;
    if (n > t->left) t->code = NYTP_FORMAT;
    else t->left -= n;
}

static inline void nytp_teller_no_memory(nytp_teller *t) {
    if (!t->code) t->code = NYTP_NOMEM;
}

#endif
