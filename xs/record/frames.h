/* SPDX-License-Identifier: MIT */
/* frames.h - calls whose frames the recorder keeps, for a front end whose interpreter does not say how each call ends.
 *
 * A front end that has a stack of its own needs none of this: see nytp_begin_call and nytp_end_call. */
#ifndef NYTP_RECORD_FRAMES_H
#define NYTP_RECORD_FRAMES_H

#include "record/events.h"

/* When memory is short NULL, and the recorder is dead. */
nytp_live_frame *nytp_recorder_more_frames(nytp_recorder *r);

/* Pops the leaf frames whose C functions are gone: the stack pointer is at or above them, so a longjmp has passed. */
void nytp_recorder_heal(nytp_recorder *r, const char *native);

/* Pops the topmost frame, a leaf whose C function is gone: the time up to now was its own. */
void nytp_recorder_bury(nytp_recorder *r);

/* A call of n begins: event is ENTER or LEAF_ENTER. resume as in nytp_live_frame; native is the C stack address of the
 * caller for a leaf, or r->native. NULL (nothing done) when memory is short. The event is still to be counted at the
 * place that is current behind it: nytp_entered. */
static inline nytp_live_frame *nytp_enter(nytp_recorder *r, nytp_live_node *n, nytp_live_place *resume,
                                          const char *native, int64_t now, enum nytp_event event) {
    nytp_live_frame *f = r->free_frames;
    if (NYTP_UNLIKELY(!f) && !(f = nytp_recorder_more_frames(r))) return NULL;
    r->free_frames = f->below;
    f->below = r->frame;
    f->node = r->node;
    f->resume = resume;
    f->native = r->native = native;
    f->leaf = event == NYTP_EVENT_LEAF_ENTER;
    r->frame = f;
    nytp_begin_call(r, n, now, event);
    return f;
}

static inline void nytp_entered(nytp_recorder *r, enum nytp_event event) { r->place->events[event]++; }

static inline void nytp_free_frame(nytp_recorder *r, nytp_live_frame *f) {
    f->below = r->free_frames;
    r->free_frames = f;
}

/* Makes f the topmost frame by dropping what lies above it; 0 if f is not in the list. */
int nytp_recorder_uncover(nytp_recorder *r, nytp_live_frame *f);

/* Takes the topmost frame off the list; it stays the caller's. A sub's has the address of the one below it. */
static inline void nytp_take_off(nytp_recorder *r, const nytp_live_frame *f, int is_leaf) {
    r->frame = f->below;
    if (is_leaf) r->native = f->below ? f->below->native : NYTP_NATIVE_NONE;
}

static inline void nytp_pop(nytp_recorder *r, const nytp_live_frame *f) {
    nytp_take_off(r, f, f->leaf);
    nytp_replace_node(r, f->node);
}

/* The call of f has ended, in whatever way: event is EXIT or LEAF_EXIT. The restore is absolute: calls above f that
 * were never seen to end are dropped with it. Takes f back. A leaf that is not in the list any more is already taken
 * back. */
static inline void nytp_exit(nytp_recorder *r, nytp_live_frame *f, int64_t now, enum nytp_event event) {
    if (NYTP_UNLIKELY(r->frame != f) && !nytp_recorder_uncover(r, f)) {
        if (event == NYTP_EVENT_EXIT) nytp_free_frame(r, f);
        return;
    }
    nytp_take_off(r, f, event == NYTP_EVENT_LEAF_EXIT);
    nytp_free_frame(r, f);
    nytp_end_call(r, f->node, f->resume, now, event);
}

/* The same while switched off: no clock, nothing charged. */
static inline void nytp_exit_unseen(nytp_recorder *r, nytp_live_frame *f) {
    if (r->frame == f || nytp_recorder_uncover(r, f)) nytp_pop(r, f);
    nytp_free_frame(r, f);
}

#endif
