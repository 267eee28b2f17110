/* SPDX-License-Identifier: MIT */
/* recorder.c - the recorder's life: open, on, off, fork, close. */
#include "record/recorder.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "record/flush.h"
#include "record/frames.h"
#include "record/front.h"
#include "record/handlers.h"
#include "record/lag.h"
#include "record/counters.h"
#include "record/deltas.h"
#include "record/sequence.h"
#include "record/latency.h"
#include "record/seen.h"
#include "record/spans.h"
#include "record/output.h"
#include "record/places.h"
#include "record/nodes.h"

#define FRAMES_AT_ONCE 64

static void name_phase(nytp_live_sub *s, const char *name) {
    s->name = nytp_str_c(name);
    s->alias = nytp_str_c("");
    s->flags = NYTP_SUB_PHASE;
    s->ordinal = 1;
}

int nytp_recorder_open(nytp_recorder *r, nytp_options *options, const nytp_front *front, nytp_error *e) {
    int fell_back = 0;
    r->options = options;
    r->front = *front;
    r->front.program = nytp_arena_str(&r->arena, front->program);
    r->front.interpreter = nytp_arena_str(&r->arena, front->interpreter);
    r->front.root = nytp_arena_str(&r->arena, front->root);
    r->front.comment = nytp_arena_str(&r->arena, front->comment);
    r->front.words = nytp_arena_str(&r->arena, front->words);
    r->front.packages = nytp_arena_str(&r->arena, front->packages);
    int has_clock = r->clock.ticks_per_second != 0;
    if (!has_clock && nytp_clock_open(&r->clock, nytp_str_c(options->clock), &fell_back, e)) return e->code;
    if (fell_back) r->output.notices |= NYTP_NOTICE_OTHER_CLOCK;
    name_phase(&r->nodes.root_sub, "main::RUNTIME");
    name_phase(&r->nodes.deep_sub, "(deep)");
    r->nodes.root.sub = &r->nodes.root_sub;
    r->nodes.root.site = &r->places.nowhere;
    r->nodes.root.into = &r->nodes.root;
    r->place = &r->places.nowhere;
    r->node = &r->nodes.root;
    r->native = NYTP_NATIVE_NONE;
    r->window.next_wait = INT64_MIN;
    r->output.opener = (uint32_t)getpid();
    r->output.inherited = (nytp_held)NYTP_HELD_NONE;
    r->started_ns = nytp_clock_monotonic_ns();
    r->started = r->window.start = r->window.off_since = nytp_now(r);
    int has_names = r->front.program.p && r->front.interpreter.p && r->front.root.p && r->front.comment.p &&
                    r->front.words.p && r->front.packages.p;
    if (!has_names || !nytp_latency_open(r) || nytp_recorder_set_base(r, options->file))
        return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return NYTP_OK;
}

int nytp_recorder_set_base(nytp_recorder *r, const char *path) {
    char *copy = strdup(path);
    if (!copy) return NYTP_NOMEM;
    free(r->output.base);
    r->output.base = copy;
    return NYTP_OK;
}

/* Not while the front end still holds a frame, as it may until the end of its interpreter. */
static void free_frames(nytp_recorder *r) {
    size_t all = 0, at_hand = 0;
    for (const nytp_live_frame *b = r->frame_blocks; b; b = b->below) all += FRAMES_AT_ONCE;
    for (const nytp_live_frame *f = r->free_frames; f; f = f->below) at_hand++;
    while (at_hand == all && r->frame_blocks) {
        nytp_live_frame *block = r->frame_blocks;
        r->frame_blocks = block->below;
        free(block);
    }
}

static void free_alike(nytp_live_places *all) {
    for (uint32_t i = 0; i < all->alike_n; i++) free(all->alike[i].vacant);
    free(all->alike);
    nytp_table_free(&all->alike_index);
}

void nytp_recorder_close(nytp_recorder *r) {
    nytp_handlers_left(r);
    nytp_clock_release(&r->clock);
    free_frames(r);
    if (r->output.writer) nytp_writer_abandon(r->output.writer);
    nytp_held_drop(&r->output.inherited);
    nytp_places_drop_texts(r);
    free_alike(&r->places);
    nytp_latency_close(r); /* while there are subs */
    nytp_arena_free(&r->arena);
    free(r->files.list);
    free(r->subs.list);
    free(r->places.carried);
    free(r->nodes.crowd);
    free(r->queue.places);
    free(r->queue.nodes);
    free(r->output.name);
    free(r->output.parent_name);
    free(r->output.base);
    free(r->output.directory);
    nytp_table_free(&r->files.by_name);
    nytp_map_free(&r->subs.by_body);
    nytp_map_free(&r->subs.by_key);
    nytp_map_free(&r->subs.gone);
    nytp_table_free(&r->subs.by_name);
    nytp_map_free(&r->files.eval_sites);
    nytp_map_free(&r->files.folded_evals);
    nytp_map_free(&r->output.finished);
    nytp_map_free(&r->places.carried_lines);
    nytp_map_free(&r->nodes.rounds);
    nytp_map_free(&r->nodes.halves);
    nytp_buf_free(&r->files.folded_name);
    nytp_buf_free(&r->scratch);
    nytp_sequence_close(&r->sequence);
    nytp_lag_close(r);
    nytp_counters_close(r);
    nytp_spans_close(r);
    nytp_seen_close(r);
    nytp_store_close(&r->output.store);
    memset(r, 0, sizeof *r);
}

/* The TSC's rate is an estimate from a fraction of a millisecond; it is refined whenever an output begins. */
static void refine_clock(nytp_recorder *r) {
    nytp_clock_refine(&r->clock, r->started, r->started_ns, nytp_now(r), nytp_clock_monotonic_ns());
}

int nytp_recorder_on(nytp_recorder *r, nytp_error *e) {
    if (r->on || r->dead) return NYTP_OK;
    int64_t now = nytp_now(r);
    if (!r->output.writer) {
        refine_clock(r);
        nytp_latency_keep(r);
        r->window.start = r->window.begun = now;
        r->window.off = r->window.waited = r->window.cold = 0;
        r->output.is_said = 0;
        if (nytp_output_open(r, e)) return e->code;
        nytp_clock_hold(&r->clock);
        nytp_handlers_join(r);
        r->window.off_since = nytp_now(r);
        r->window.flush = r->window.off_since - now; /* writing the opening is writing */
    } else if (r->output.rests) { /* relay.h: another thread goes on */
        r->output.rests = 0;
        r->output.threads++;
        nytp_handlers_join(r);
    }
    r->on = 1;
    now = nytp_now(r);
    r->window.off += now - r->window.off_since;
    nytp_begin_intervals(r, now);
    nytp_latency_follow(r);
    nytp_sequence_due(r, nytp_flush_next(r, now));
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
    return NYTP_OK;
}

void nytp_recorder_off(nytp_recorder *r) {
    if (!r->on) return;
    int64_t now = nytp_now(r);
    nytp_end_intervals(r, now);
    r->on = 0;
    r->window.off_since = now;
}

/* 1 if the current statement did nothing but call the C function that switches off. */
static int has_only_called(const nytp_recorder *r) {
    const nytp_live_frame *f = r->frame;
    if (!f || !f->leaf || f->resume != r->place || r->node_last < r->last) return 0;
    return !f->below || !f->below->leaf;
}

static void take_back_call(nytp_recorder *r) {
    nytp_live_node *caller = r->frame->node;
    caller->ticks -= r->node_last - r->last;
    r->node->ticks += r->node_last - r->last;
    caller->events[NYTP_EVENT_LEAF_EXIT]--;
    r->node->events[NYTP_EVENT_LEAF_ENTER]--;
    r->place->events[NYTP_EVENT_LEAF_ENTER]--;
    r->node_last = r->last;
    nytp_touch_node(r, caller);
}

void nytp_recorder_off_by_call(nytp_recorder *r) {
    if (!r->on || !has_only_called(r)) {
        nytp_recorder_off(r);
        return;
    }
    take_back_call(r);
    nytp_end_intervals(r, r->last);
    r->on = 0;
    r->window.off_since = r->last;
}

static void zero_node(nytp_live_node *n) {
    n->calls = n->written_calls = 0;
    n->ticks = n->written_ticks = 0;
    memset(n->events, 0, sizeof n->events);
    memset(n->written, 0, sizeof n->written);
}

static void zero_nodes(nytp_recorder *r) {
    for (nytp_live_node *n = &r->nodes.root; n; n = nytp_nodes_next(n)) zero_node(n);
    nytp_map_free(&r->nodes.rounds);
}

static void forget_deaths(nytp_recorder *r) {
    for (uint32_t id = 1; id <= r->subs.n; id++) {
        if (!r->subs.list[id]->has_died) continue; /* no write: a child shares its parent's memory */
        r->subs.list[id]->has_died = 0;
        r->subs.list[id]->flags &= ~(uint32_t)NYTP_SUB_DIED_FIRST;
    }
}

void nytp_recorder_events(const nytp_recorder *r, int64_t events[NYTP_EVENTS]) {
    memset(events, 0, NYTP_EVENTS * sizeof *events);
    for (uint32_t i = 0; i < r->queue.node_n; i++)
        for (int event = 0; event < NYTP_EVENTS; event++) events[event] += r->queue.nodes[i]->events[event];
}

void nytp_recorder_reset(nytp_recorder *r) {
    nytp_deltas_forget(r); /* they belong to the parent's file */
    zero_nodes(r);
    forget_deaths(r);
    nytp_counters_forget(r);
    nytp_spans_forget(r);
    nytp_latency_forget(r);
    nytp_seen_forget(r);
}

/* Not in format 5, which has no references to source. */
static int may_rely_on_parent(const nytp_recorder *r) {
    return r->options->format != NYTP_OUTPUT_V5 && r->options->savesrc != NYTP_SAVESRC_EMBED;
}

static void rely_on_parent(nytp_recorder *r) {
    free(r->output.parent_name);
    r->output.parent_name = may_rely_on_parent(r) ? strdup(r->output.name) : NULL;
    r->output.parent_files = r->output.parent_name ? r->files.n : 0;
}

static void go_on_in_child(nytp_recorder *r) {
    nytp_error e = {0};
    int was_on = (int)r->on;
    int64_t begin = nytp_now(r);
    nytp_never_due(r);
    r->is_hurried = 0;
    if (was_on) nytp_end_intervals(r, r->last);
    nytp_lag_inherit(r);
    if (r->output.writer) {
        nytp_held_take(&r->output.inherited, nytp_writer_duplicate(r->output.writer, 0));
        nytp_writer_abandon(r->output.writer);
        r->output.writer = NULL;
        r->output.parent_start = r->output.stream.process_start;
        r->output.forked = 1;
        rely_on_parent(r);
    }
    nytp_recorder_reset(r);
    nytp_map_free(&r->output.finished);
    r->on = 0;
    r->output.stream.pid = nytp_output_pid(r);
    if (!nytp_front_forked(r) || !was_on) return;
    char line[NYTP_ERROR_TEXT + 64];
    if (nytp_recorder_on(r, &e) == NYTP_OK) {
        r->lag.kept += r->window.start - begin;
        if (nytp_lag_is_heard(r)) nytp_lag_tell(r, nytp_lag_now(r));
        return;
    }
    nytp_front_stopped(r);
    snprintf(line, sizeof line, "NYTProf: this process is not profiled: %s", e.text);
    nytp_front_say(r, line);
}

int nytp_recorder_moved(nytp_recorder *r) {
    if (!r->output.stream.pid || nytp_output_pid(r) == r->output.stream.pid) return 0;
    go_on_in_child(r);
    return 1;
}

/* ---- slow paths of the hot path ---- */

void nytp_recorder_fail(nytp_recorder *r) {
    r->dead = 1;
    nytp_due_plan(r, INT64_MIN);
}

/* Free slots of a queue, for the event at which memory runs out and the one that stops counting. */
#define SPARE 8

void nytp_recorder_queue_place(nytp_recorder *r, nytp_live_place *p) {
    nytp_live_queue *q = &r->queue;
    assert(!p->queued);
    if (!nytp_grow_owned(&q->places, q->place_n + SPARE, &q->place_room, sizeof *q->places)) nytp_recorder_fail(r);
    if (q->place_n == q->place_room) return;
    q->places[q->place_n++] = p;
    p->queued = 1;
}

void nytp_recorder_queue_node(nytp_recorder *r, nytp_live_node *n) {
    nytp_live_queue *q = &r->queue;
    assert(!n->queued);
    if (!nytp_grow_owned(&q->nodes, q->node_n + SPARE, &q->node_room, sizeof *q->nodes)) nytp_recorder_fail(r);
    if (q->node_n == q->node_room) return;
    q->nodes[q->node_n++] = n;
    n->queued = 1;
    nytp_touch_node(r, n->into);
}

/* A block's first frame links the blocks. */
nytp_live_frame *nytp_recorder_more_frames(nytp_recorder *r) {
    nytp_live_frame *block = malloc((FRAMES_AT_ONCE + 1) * sizeof *block);
    if (!block) {
        nytp_recorder_fail(r);
        return NULL;
    }
    block->below = r->frame_blocks;
    r->frame_blocks = block;
    for (int i = 1; i <= FRAMES_AT_ONCE; i++) nytp_free_frame(r, block + i);
    return r->free_frames;
}

/* The number of calls of s that have returned: counted ones less running ones. f is the topmost frame, n its node; f
 * itself may be off the list already. */
static int64_t returned(const nytp_recorder *r, const nytp_live_sub *s, const nytp_live_frame *f,
                        const nytp_live_node *n) {
    int64_t calls = 0;
    for (const nytp_live_node *at = &r->nodes.root; at; at = nytp_nodes_next(at))
        if (at->sub == s) calls += nytp_deltas_calls(r, at);
    for (; f; n = f->node, f = f->below) calls -= n->sub == s;
    return calls;
}

/* Notes that f's C function, running in n, was left by a longjmp. */
static void note_death(nytp_recorder *r, const nytp_live_frame *f, const nytp_live_node *n) {
    nytp_live_sub *s = n->sub;
    if (!(s->flags & NYTP_SUB_XSUB) || s->has_died) return;
    s->has_died = 1;
    if (returned(r, s, f, n) > 0) return;
    s->flags |= NYTP_SUB_DIED_FIRST;
    s->generation = 0; /* so that it is defined again */
}

/* Frames of subs are freed later, by their owner. */
static void drop(nytp_recorder *r, nytp_live_frame *f, const nytp_live_node *n) {
    if (!f->leaf) return;
    note_death(r, f, n);
    nytp_free_frame(r, f);
}

int nytp_recorder_uncover(nytp_recorder *r, nytp_live_frame *f) {
    const nytp_live_frame *at = r->frame;
    const nytp_live_node *n = r->node; /* stays current: the time up to now is charged to it */
    while (at && at != f) at = at->below;
    if (!at) return 0;
    while (r->frame != f) {
        nytp_live_frame *above = r->frame;
        const nytp_live_node *context = above->node;
        r->frame = above->below;
        drop(r, above, n);
        n = context;
    }
    r->native = f->native;
    return 1;
}

static void pop_dead(nytp_recorder *r) {
    nytp_live_frame *gone = r->frame;
    const nytp_live_node *n = r->node;
    if (gone->leaf && r->front.left) r->front.left(r->front.self);
    r->node_last = nytp_now(r);
    nytp_pop(r, gone);
    drop(r, gone, n);
}

void nytp_recorder_heal(nytp_recorder *r, const char *native) {
    while (r->frame && native >= r->frame->native) pop_dead(r);
    nytp_touch_node(r, r->node);
    nytp_latency_follow(r);
}

void nytp_recorder_bury(nytp_recorder *r) {
    pop_dead(r);
    nytp_touch_node(r, r->node);
    nytp_latency_follow(r);
}
