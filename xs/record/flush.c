/* SPDX-License-Identifier: MIT */
/* flush.c - turns the counters that changed into one chunk.
 *
 * Definitions come first, parents before children, each once for every output ("generation"); then the differences
 * between what has been counted and what has been written. Counters are never set back, so a window that could not be
 * written is part of the next one's difference. */
#include "record/flush.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "record/events.h"
#include "record/files.h"
#include "record/front.h"
#include "record/handlers.h"
#include "record/lag.h"
#include "record/counters.h"
#include "record/sequence.h"
#include "record/output.h"
#include "record/nodes.h"

#define NO_PLACE UINT32_MAX /* no id of a place */

/* ---- definitions ---- */

static void define_place(nytp_recorder *r, nytp_live_place *p) {
    if (p->generation == r->output.generation || !p->id) return;
    p->generation = r->output.generation;
    nytp_files_define(r, p->file);
    nytp_record out = {.kind = NYTP_REC_PLACE, .u.place = {p->id, p->file, p->line, p->block_line, p->sub_line}};
    nytp_writer_put(r->output.writer, &out);
}

static void define_sub(nytp_recorder *r, nytp_live_sub *s) {
    if (s->generation == r->output.generation) return;
    s->generation = r->output.generation;
    nytp_files_define(r, s->file);
    nytp_record out = {.kind = NYTP_REC_SUB};
    out.u.sub = (nytp_rec_sub){s->id, s->flags, s->file, s->first_line, s->last_line, s->ordinal, s->name, s->alias};
    nytp_writer_put(r->output.writer, &out);
}

/* The bits of the generation that a node keeps; they repeat after 67 million outputs. */
#define GENERATION(r) ((r)->output.generation & 0x3FFFFFF)

static int is_undefined(const nytp_recorder *r, const nytp_live_node *n) {
    return n->parent && n->generation != GENERATION(r);
}

/* The nodes on the way to n that are not defined yet, parents first; paths may be a million calls long. */
static void collect(nytp_recorder *r, nytp_buf *found, nytp_live_node *n) {
    size_t depth = 0;
    for (const nytp_live_node *up = n; is_undefined(r, up); up = up->parent) depth++;
    nytp_live_node **to = depth ? (nytp_live_node **)(void *)nytp_buf_room(found, depth * sizeof n) : NULL;
    if (!to) return;
    found->n += depth * sizeof n;
    for (; depth; n = n->parent) {
        n->generation = GENERATION(r);
        to[--depth] = n;
    }
}

static void define_node(nytp_recorder *r, const nytp_live_node *n) {
    nytp_record tail = {.kind = NYTP_REC_TAIL, .u.tail = {n->id}};
    nytp_record out = {.kind = NYTP_REC_NODE, .u.node = {n->id, n->parent->id, n->site->id, n->sub->id}};
    if (n->site->tail == n->site) nytp_writer_put(r->output.writer, &tail);
    nytp_writer_put(r->output.writer, &out);
}

/* Their subs and places are defined first, so that consecutive nodes share a record. */
static void define_nodes(nytp_recorder *r) {
    nytp_buf *found = &r->scratch;
    nytp_buf_clear(found);
    for (uint32_t i = 0; i < r->queue.node_n; i++) collect(r, found, r->queue.nodes[i]);
    if (found->failed) nytp_recorder_fail(r);
    nytp_live_node **nodes = (nytp_live_node **)(void *)found->p;
    size_t n = found->n / sizeof *nodes;
    for (size_t i = 0; i < n; i++) define_place(r, nodes[i]->site);
    for (size_t i = 0; i < n; i++) define_sub(r, nodes[i]->sub);
    for (size_t i = 0; i < n; i++) define_node(r, nodes[i]);
}

static void define_queued(nytp_recorder *r) {
    for (uint32_t i = 0; i < r->queue.place_n; i++) define_place(r, r->queue.places[i]);
    define_nodes(r);
}

/* ---- merged statements ---- */

/* The first window of a brief child has those of the files it touched; the second has all. */
static void write_carried(nytp_recorder *r) {
    int is_brief = nytp_recorder_is_brief(r);
    for (uint32_t i = r->places.carried_written; i < r->places.carried_n; i++) {
        const nytp_rec_carried *c = r->places.carried + i;
        if (is_brief && r->files.list[c->file]->generation != r->output.generation) continue;
        nytp_files_define(r, (uint32_t)c->file);
        nytp_writer_put(r->output.writer, &(nytp_record){.kind = NYTP_REC_CARRIED, .u.carried = *c});
    }
    if (!is_brief) r->places.carried_written = r->places.carried_n;
}

/* ---- deltas ---- */

/* Counters are narrow and wrap round; the difference may be negative. */
static int64_t since(uint32_t now, uint32_t written) { return (int32_t)(now - written); }

/* A node's counters: its events by their numbers, and behind them its calls. */
#define CALLS NYTP_EVENTS
#define COUNTERS (NYTP_EVENTS + 1)

static uint64_t key_of(const nytp_live_node *n, uint32_t counter) { return (uint64_t)n->id * COUNTERS + counter; }

/* Notes that a counter has wrapped round in this window; counters that never do have no entry. */
static void note_round(nytp_recorder *r, uint64_t key, int64_t now) {
    int rounds = (now > UINT32_MAX) - (now < 0);
    uint32_t *known = rounds ? nytp_map_at(&r->nodes.rounds, key) : NULL;
    if (known) *known += (uint32_t)rounds;
    else if (rounds) nytp_recorder_fail(r);
}

/* The sum written of a counter; for the root that of earlier outputs. */
static int64_t written_before(const nytp_recorder *r, const nytp_live_node *n, uint32_t counter, uint32_t written) {
    int64_t rounds = (int32_t)nytp_map_get(&r->nodes.rounds, key_of(n, counter));
    return n->parent ? rounds * (UINT32_MAX + INT64_C(1)) + written : 0;
}

int64_t nytp_flush_calls(const nytp_recorder *r, const nytp_live_node *n) {
    return written_before(r, n, CALLS, n->written_calls) + since(n->calls, n->written_calls);
}

static void write_place(nytp_recorder *r, nytp_live_place *p) {
    nytp_record out = {.kind = NYTP_REC_PLACE_DELTA, .u.delta = {.id = p->id, .ticks = p->ticks - p->written_ticks}};
    nytp_rec_delta *delta = &out.u.delta;
    if (!delta->ticks && memcmp(p->events, p->written, sizeof p->events) == 0) return;
    for (int event = 0; event < NYTP_PLACE_EVENTS; event++)
        delta->events[event] = since(p->events[event], p->written[event]);
    delta->count = delta->events[NYTP_EVENT_STATEMENT];
    p->written_ticks = p->ticks;
    memcpy(p->written, p->events, sizeof p->events);
    nytp_writer_put(r->output.writer, &out);
}

/* The growth of a counter since it was written, or its total. */
static int64_t take(nytp_recorder *r, const nytp_live_node *n, uint32_t counter, uint32_t now, uint32_t *written,
                    int is_total) {
    int64_t count = since(now, *written);
    int64_t before = is_total ? written_before(r, n, counter, *written) : 0;
    if (count) note_round(r, key_of(n, counter), *written + count);
    *written = now;
    return before + count;
}

static int is_written(const nytp_live_node *n) {
    return n->calls == n->written_calls && n->ticks == n->written_ticks &&
           memcmp(n->events, n->written, sizeof n->events) == 0;
}

static void write_node(nytp_recorder *r, nytp_live_node *n, int is_total) {
    if (is_written(n) && !(is_total && nytp_flush_calls(r, n))) return;
    nytp_record out = {.kind = NYTP_REC_NODE_DELTA, .u.delta = {.id = n->id, .ticks = n->ticks - n->written_ticks}};
    out.u.delta.count = take(r, n, CALLS, n->calls, &n->written_calls, is_total);
    for (uint32_t event = 0; event < NYTP_EVENTS; event++)
        out.u.delta.events[event] = take(r, n, event, n->events[event], n->written + event, is_total);
    n->written_ticks = n->ticks;
    nytp_writer_put(r->output.writer, &out);
}

/* Leaves out one place, by id. */
static void write_places(nytp_recorder *r, uint32_t spared) {
    for (uint32_t i = 0; i < r->queue.place_n; i++) {
        r->queue.places[i]->queued = 0;
        if (r->queue.places[i]->id != spared) write_place(r, r->queue.places[i]);
    }
    r->queue.place_n = 0;
}

static void write_nodes(nytp_recorder *r, int is_total) {
    for (uint32_t i = 0; i < r->queue.node_n; i++) {
        r->queue.nodes[i]->queued = 0;
        write_node(r, r->queue.nodes[i], is_total);
    }
    r->queue.node_n = 0;
}

static void write_prices(nytp_recorder *r) {
    nytp_record out = {.kind = NYTP_REC_PRICE};
    for (int event = 0; event < NYTP_EVENTS; event++) {
        out.u.price = r->prices[event];
        if (out.u.price.measured) nytp_writer_put(r->output.writer, &out);
    }
}

/* A call's end is written behind the time of its context, and before the latest statement. */
static void write_deltas(nytp_recorder *r, uint32_t spared, int64_t now) {
    nytp_counters_write(r); /* before the queues are emptied */
    write_nodes(r, 0);
    nytp_sequence_write(r, now);
    write_places(r, spared);
}

/* The record of the window [window.start, now): its time outside places. */
static void write_window(nytp_recorder *r, int64_t now) {
    nytp_lag_keep(r);
    write_prices(r);
    write_deltas(r, NO_PLACE, now);
    nytp_record out = {.kind = NYTP_REC_WINDOW};
    out.u.window.flush = r->window.flush;
    out.u.window.off = r->window.off;
    out.u.window.anchor_ticks = nytp_now(r);
    out.u.window.waited = r->window.waited;
    out.u.window.cold = r->window.cold;
    out.u.window.anchor_ns = nytp_clock_monotonic_ns();
    nytp_writer_put(r->output.writer, &out);
    nytp_writer_chunk(r->output.writer, r->window.start, now);
    r->window.start = now;
    r->window.off = r->window.flush = r->window.waited = r->window.cold = 0;
}

/* ---- timing ---- */

static void charge_up_to(nytp_recorder *r, int64_t now) {
    nytp_end_intervals(r, now);
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
}

/* A twentieth of the run so far, between a tenth of a second and ten: the loss when the process is killed stays in
 * proportion to the run, and a week's profile stays small. */
static int64_t next_window(const nytp_recorder *r, int64_t now) {
    int64_t second = (int64_t)r->clock.ticks_per_second;
    int64_t window = (now - r->started) / 20;
    if (window < second / 10) window = second / 10;
    return window > second * 10 ? second * 10 : window;
}

/* Time of writing is not charged: the next intervals begin after it. The current place and node may stay so for several
 * windows without an event, so they are queued again. */
static void resume_after(nytp_recorder *r, int64_t now) {
    int64_t after = nytp_now(r);
    r->window.flush = after - now;
    nytp_begin_intervals(r, after);
    if (nytp_lag_is_heard(r)) nytp_lag_tell(r, nytp_lag_now(r));
    r->window.length = next_window(r, after);
    nytp_sequence_due(r, after + r->window.length);
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
}

static void say_that_it_ends(nytp_recorder *r, const char *why) {
    char line[NYTP_ERROR_TEXT + 64];
    snprintf(line, sizeof line, "NYTProf: %s: %s; the profile ends here", r->output.name, why);
    nytp_front_say(r, line);
}

static void say_once(nytp_recorder *r) {
    const nytp_error *e = nytp_writer_error(r->output.writer);
    if (!e->code || r->output.is_said) return;
    r->output.is_said = 1;
    say_that_it_ends(r, e->text);
}

/* Without memory a window cannot be written, and trying would break the output for good. Counters are written at the
 * end, when there may be memory again. */
static void stop(nytp_recorder *r) {
    nytp_recorder_off(r);
    nytp_front_stopped(r);
    say_that_it_ends(r, "out of memory");
}

static void define_everything(nytp_recorder *r) {
    for (uint32_t id = 1; id <= r->files.n; id++) nytp_files_define(r, id);
    for (uint32_t id = 1; id <= r->subs.n; id++) define_sub(r, r->subs.list[id]);
}

/* The noted calls belong to the window, so they come before any record that might close the chunk. */
static void write_ordered(nytp_recorder *r, int64_t now) {
    nytp_sequence_find(r);
    define_queued(r);
    write_window(r, now);
}

static void flush(nytp_recorder *r, int64_t now, int everything) {
    int saved = errno;
    if (r->dead && r->on) {
        stop(r);
    } else if (!nytp_recorder_moved(r) && r->output.writer) {
        nytp_handlers_own(r);
        if (r->on) charge_up_to(r, now);
        if (nytp_sequence_is_wanted(r)) write_ordered(r, now);
        if (everything) define_everything(r);
        define_queued(r);
        nytp_files_write_sources(r);
        write_carried(r);
        nytp_output_notices(r);
        nytp_files_close_chunk_if_full(r);
        write_window(r, now);
        say_once(r);
        if (r->on) resume_after(r, now);
    }
    errno = saved;
}

/* A statement that has just begun is left out until it ends: it is one event, with its time. Time of noting is not
 * charged. */
static void note(nytp_recorder *r, int64_t now) {
    int saved = errno;
    nytp_end_intervals(r, now);
    if (!nytp_writer_pending(r->output.writer)) write_prices(r);
    int has_returned = nytp_sequence_find(r);
    define_queued(r);
    write_deltas(r, has_returned ? NO_PLACE : r->place->id, now);
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
    nytp_begin_intervals(r, now);
    nytp_cold_since(r, now);
    errno = saved;
}

void nytp_flush(nytp_recorder *r, int64_t now) {
    if (nytp_sequence_only(r, now)) note(r, now);
    else flush(r, now, 0);
}

/* While switched off the window ends where counting ended; the time since is recorded as off. */
void nytp_flush_all(nytp_recorder *r) { flush(r, r->on ? nytp_now(r) : r->window.off_since, 0); }

void nytp_flush_last(nytp_recorder *r) { flush(r, r->on ? nytp_now(r) : r->window.off_since, 1); }

void nytp_flush_carried_over(nytp_recorder *r) {
    int64_t begin = r->last; /* the recorder has just been switched on */
    nytp_end_intervals(r, begin);
    for (nytp_live_node *n = nytp_nodes_next(&r->nodes.root); n; n = nytp_nodes_next(n)) {
        if (!nytp_flush_calls(r, n) && !n->ticks) continue;
        n->written_ticks = 0;
        nytp_touch_node(r, n);
    }
    define_queued(r);
    write_prices(r);
    write_nodes(r, 1);
    nytp_writer_chunk(r->output.writer, r->window.start, r->window.start);
    nytp_touch_node(r, r->node); /* its interval goes on */
    nytp_begin_intervals(r, begin);
}

/* The most windows in a row before waits; each ordinary window earns one more. */
#define WAITS_AT_ONCE 30

int nytp_flush_due(const nytp_recorder *r, int64_t now) { return r->window.next_wait < now; }

void nytp_flush_count_wait(nytp_recorder *r, int64_t now) {
    int64_t each = next_window(r, now), earliest = now - WAITS_AT_ONCE * each;
    r->window.next_wait = (r->window.next_wait > earliest ? r->window.next_wait : earliest) + each;
}

void nytp_flush_before_wait(nytp_recorder *r, int64_t now) {
    nytp_flush_count_wait(r, now);
    flush(r, now, 0);
}

void nytp_flush_while_off(nytp_recorder *r) {
    if (r->output.writer && nytp_flush_due(r, r->window.off_since)) nytp_flush_before_wait(r, r->window.off_since);
}
