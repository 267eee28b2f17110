/* SPDX-License-Identifier: MIT */
/* due.h - when the next window is due. A handler of fork or of a signal, which may run in another thread than the
 * events, asks for the next event instead. */
#ifndef NYTP_RECORD_DUE_H
#define NYTP_RECORD_DUE_H

#include "record/recorder.h"

/* A word that another thread may set. Compilers compare no atomic in memory, which would cost an event an instruction;
 * machines with words of this size read all of one at once. */
#if defined(__SANITIZE_THREAD__)
#define NYTP_DUE_READ(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)
#else
#define NYTP_DUE_READ(word) (word)
#endif

static inline void nytp_due_set(nytp_recorder *r, int64_t deadline, int64_t late) {
    __atomic_store_n(&r->deadline, deadline, __ATOMIC_RELAXED);
    __atomic_store_n(&r->late, late, __ATOMIC_RELAXED);
}

/* The deadline, and that of a call's end. */
static inline int64_t nytp_due_at(const nytp_recorder *r) { return NYTP_DUE_READ(r->deadline); }

static inline int64_t nytp_due_late(const nytp_recorder *r) { return NYTP_DUE_READ(r->late); }

/* Flushes at the first event after the deadline; INT64_MIN, or hurried: at the next event. */
static inline void nytp_due_plan(nytp_recorder *r, int64_t deadline) {
    int64_t second = (int64_t)r->clock.ticks_per_second;
    nytp_due_set(r, deadline, deadline < r->started ? deadline : deadline + second / 100);
    if (atomic_fetch_or(&r->is_hurried, 0)) nytp_due_set(r, INT64_MIN, INT64_MIN);
}

/* The end of a window that ends now: to readers a window without length is none. So by a coarse clock it has a tick,
 * and the time behind it begins a tick ahead of the clock. */
static inline int64_t nytp_due_end(nytp_recorder *r, int64_t now) {
    if (now > r->window.start || !nytp_clock_is_coarse(&r->clock)) return now;
    now = r->window.start + 1;
    if (r->on) return now;
    r->window.off += now - r->window.off_since;
    r->window.off_since = now;
    return now;
}

#endif
