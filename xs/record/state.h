/* SPDX-License-Identifier: MIT */
/* state.h - what a front end reads of its recorder, and the little that it sets: the fields are record/'s own.
 *
 * All are inline and compile to the access itself. What belongs to one file of the recorder is in that file's header:
 * files and subs by id (places.h, subs.h), the position on a stack (frames.h), the output (output.h). */
#ifndef NYTP_RECORD_STATE_H
#define NYTP_RECORD_STATE_H

#include "record/due.h"

static inline int nytp_is_on(const nytp_recorder *r) { return r->on != 0; }

/* 1: memory ran out, or no file could be begun; it is never on again. */
static inline int nytp_is_dead(const nytp_recorder *r) { return r->dead != 0; }

/* Makes it so, while it is off. */
static inline void nytp_give_up(nytp_recorder *r) { r->dead = 1; }

/* 1 while a file is open. */
static inline int nytp_has_output(const nytp_recorder *r) { return r->output.writer != NULL; }

/* 1 while the end of the profile is written. */
static inline int nytp_is_ending(const nytp_recorder *r) { return r->output.is_ending != 0; }

static inline const nytp_front *nytp_front_of(const nytp_recorder *r) { return &r->front; }

static inline const nytp_options *nytp_options_of(const nytp_recorder *r) { return r->options; }

/* Memory that is freed with the recorder. */
static inline nytp_arena *nytp_arena_of(nytp_recorder *r) { return &r->arena; }

/* ---- the position ---- */

static inline nytp_live_place *nytp_current_place(const nytp_recorder *r) { return r->place; }

static inline nytp_live_node *nytp_current_node(const nytp_recorder *r) { return r->node; }

/* Where the recorder has the pointer to it, for a thread that reads its memory. */
static inline const void *nytp_current_node_at(const nytp_recorder *r) { return &r->node; }

static inline nytp_live_frame *nytp_current_frame(const nytp_recorder *r) { return r->frame; }

/* Of the innermost live leaf frame, as in nytp_live_frame. */
static inline const char *nytp_current_native(const nytp_recorder *r) { return r->native; }

/* The main program, and the place before the first statement. */
static inline nytp_live_node *nytp_root(nytp_recorder *r) { return &r->nodes.root; }

static inline nytp_live_place *nytp_nowhere(nytp_recorder *r) { return &r->places.nowhere; }

static inline int nytp_is_at_root(const nytp_recorder *r) { return r->node == &r->nodes.root; }

/* ---- time ---- */

static inline const nytp_clock *nytp_clock_of(const nytp_recorder *r) { return &r->clock; }

static inline int64_t nytp_ticks_per_second(const nytp_recorder *r) { return (int64_t)r->clock.ticks_per_second; }

/* The prices of events, to be set by calibration. */
static inline nytp_rec_price *nytp_front_prices(nytp_recorder *r) { return r->prices; }

static inline int64_t nytp_price(const nytp_recorder *r, enum nytp_event event) { return r->prices[event].ticks; }

/* When the current node's interval began: at the last event of the tree. */
static inline int64_t nytp_node_since(const nytp_recorder *r) { return r->node_last; }

/* The time from which on an event flushes. */
static inline int64_t nytp_deadline(const nytp_recorder *r) { return nytp_due_at(r); }

static inline int nytp_is_due(const nytp_recorder *r, int64_t now) { return now >= nytp_due_at(r); }

/* 1: this may be a forked child that nytp_recorder_moved has not noticed, or a signal has come. */
static inline int nytp_may_have_forked(const nytp_recorder *r) { return nytp_due_at(r) == INT64_MIN; }

/* ---- calibration ---- */

/* Another recorder's open clock, so that nytp_recorder_open, which comes after it, need not open one. */
static inline void nytp_share_clock(nytp_recorder *r, const nytp_clock *clock) {
    r->clock = *clock;
    r->clock.held = 0;
}

static inline void nytp_never_due(nytp_recorder *r) { nytp_due_set(r, INT64_MAX, INT64_MAX); }

/* An open recorder counts without an output: it is on, and never due. */
static inline void nytp_rehearse(nytp_recorder *r) {
    nytp_never_due(r);
    r->on = 1;
}

#endif
