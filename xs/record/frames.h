/* SPDX-License-Identifier: MIT */
/* frames.h - calls with frames kept by the recorder, for an interpreter that does not report the end of every call.
 *
 * A front end with a stack of its own does not need them: see nytp_begin_call and nytp_end_call. */
#ifndef NYTP_RECORD_FRAMES_H
#define NYTP_RECORD_FRAMES_H

#include "record/events.h"

/* NULL when memory is short (the recorder is then dead). */
nytp_live_frame *nytp_recorder_more_frames(nytp_recorder *r);

/* Pops leaf frames of C functions that a longjmp has left: the stack pointer is at or above them. */
void nytp_recorder_heal(nytp_recorder *r, const char *native);

#define NYTP_NATIVE_ELSEWHERE NULL /* of a leaf that the next hook ends, whatever its C stack */

/* 1 if that is needed. */
static inline int nytp_has_left_leaf(const nytp_recorder *r, const char *native) { return native >= r->native; }

/* Pops the topmost frame, a leaf of a C function that was left: the time up to now is charged to it. */
void nytp_recorder_bury(nytp_recorder *r);

/* A call of n begins: event is ENTER or LEAF_ENTER. resume as in nytp_live_frame; native is the C stack address of the
 * caller for a leaf, or r->native. NULL, without effect, when memory is short. nytp_entered must then count the event
 * at the current place. */
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

/* Takes the topmost frame off the list, without freeing it. A sub's frame has the `native` of the one below. */
static inline void nytp_take_off(nytp_recorder *r, const nytp_live_frame *f, int is_leaf) {
    r->frame = f->below;
    if (is_leaf) r->native = f->below ? f->below->native : NYTP_NATIVE_NONE;
}

static inline void nytp_pop(nytp_recorder *r, const nytp_live_frame *f) {
    nytp_take_off(r, f, f->leaf);
    nytp_replace_node(r, f->node);
}

/* Ends the call of f, however it ended: event is EXIT or LEAF_EXIT. Calls above f without an observed end are dropped
 * with it. Frees f. A leaf that is not in the list any more has been freed already. */
static inline void nytp_exit(nytp_recorder *r, nytp_live_frame *f, int64_t now, enum nytp_event event) {
    if (NYTP_UNLIKELY(r->frame != f) && !nytp_recorder_uncover(r, f)) {
        if (event == NYTP_EVENT_EXIT) nytp_free_frame(r, f);
        return;
    }
    nytp_take_off(r, f, event == NYTP_EVENT_LEAF_EXIT);
    nytp_free_frame(r, f);
    nytp_end_call(r, f->node, f->resume, now, event);
}

/* The same while switched off: no clock reading, no charge. */
static inline void nytp_exit_unseen(nytp_recorder *r, nytp_live_frame *f) {
    if (r->frame == f || nytp_recorder_uncover(r, f)) nytp_pop(r, f);
    nytp_free_frame(r, f);
}

/* Where a stack of calls stands while another one runs. */
typedef struct nytp_position {
    nytp_live_frame *frame;
    nytp_live_node *node;
    nytp_live_place *place;
    const char *native;
    int64_t time; /* for latency.h, by the front end: when it was left */
} nytp_position;

static inline nytp_position nytp_position_of(const nytp_recorder *r) {
    return (nytp_position){r->frame, r->node, r->place, r->native, 0};
}

/* Goes on there; NULL: a new stack begins, at the root. The time since the last event is charged to the one left. */
static inline void nytp_go_to_position(nytp_recorder *r, const nytp_position *to, int64_t now) {
    r->frame = to ? to->frame : NULL;
    r->native = to ? to->native : NYTP_NATIVE_NONE;
    nytp_jump(r, to ? to->node : nytp_root(r), to ? to->place : nytp_nowhere(r), now);
}

#endif
