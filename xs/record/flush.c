/* SPDX-License-Identifier: MIT */
/* flush.c - turns the counters that changed into one chunk.
 *
 * Definitions come first, then the differences between what has been counted and what has been written. Counters are
 * never set back, so a window that could not be written is part of the next one's difference. */
#include "record/flush.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "record/budget.h"
#include "record/events.h"
#include "record/files.h"
#include "record/front.h"
#include "record/handlers.h"
#include "record/lag.h"
#include "record/latency.h"
#include "record/marks.h"
#include "record/counters.h"
#include "record/define.h"
#include "record/deltas.h"
#include "record/sequence.h"
#include "record/output.h"
#include "record/nodes.h"
#include "record/relay.h"
#include "record/seen.h"
#include "record/spans.h"
#include "record/squeeze.h"

static void define_queued(nytp_recorder *r) {
    if (!nytp_define_queued(r)) nytp_recorder_fail(r);
    nytp_counters_define(r);
    nytp_spans_define(r);
    nytp_latency_define(r);
}

/* ---- merged statements ---- */

/* A child that ends while it is brief has those of the files it touched; one that goes on has all. */
static void write_carried(nytp_recorder *r) {
    int is_brief = nytp_recorder_is_brief(r);
    if (is_brief && !r->output.is_ending) return;
    for (uint32_t i = r->places.carried_written; i < r->places.carried_n; i++) {
        const nytp_rec_carried *c = r->places.carried + i;
        if (is_brief && r->files.list[c->file]->generation != r->output.generation) continue;
        nytp_files_define(r, (uint32_t)c->file);
        nytp_writer_put(r->output.writer, &(nytp_record){.kind = NYTP_REC_CARRIED, .u.carried = *c});
    }
    if (!is_brief) r->places.carried_written = r->places.carried_n;
}

/* ---- windows ---- */

static void write_prices(nytp_recorder *r) {
    nytp_record out = {.kind = NYTP_REC_PRICE};
    for (int event = 0; event < NYTP_EVENTS; event++) {
        out.u.price = r->prices[event];
        if (out.u.price.measured) nytp_writer_put(r->output.writer, &out);
    }
}

/* A call's end is written behind the time of its context, and before the latest statement. */
static void put_deltas(nytp_recorder *r, uint32_t spared, int64_t now) {
    nytp_counters_put(r);
    nytp_spans_put(r);
    nytp_latency_put(r);
    nytp_deltas_put_nodes(r, 0);
    nytp_sequence_write(r, now);
    nytp_deltas_put_places(r, spared);
}

static void settle(nytp_recorder *r, uint32_t spared) {
    nytp_spans_settle(r);
    nytp_latency_settle(r);
    nytp_counters_settle(r); /* before the queues are emptied */
    if (!nytp_deltas_settle(r, spared)) nytp_recorder_fail(r);
}

void nytp_flush_settle(nytp_recorder *r) {
    nytp_seen_settle(r);
    settle(r, NYTP_DELTAS_ALL);
}

/* The record of the window [window.start, now): its time outside places. */
static void put_window(nytp_recorder *r, int64_t now) {
    write_prices(r);
    put_deltas(r, NYTP_DELTAS_ALL, now);
    nytp_seen_put(r);
    nytp_record out = {.kind = NYTP_REC_WINDOW};
    out.u.window.flush = r->window.flush;
    out.u.window.off = r->window.off;
    out.u.window.anchor_ticks = nytp_now(r);
    out.u.window.waited = r->window.waited;
    out.u.window.cold = r->window.cold;
    out.u.window.anchor_ns = nytp_clock_monotonic_ns();
    out.u.window.threads = nytp_relay_threads(r);
    nytp_writer_put(r->output.writer, &out);
}

/* ---- drafts ---- */

/* A chunk has room for ten numbers of ten bytes for each. */
#define MOST_DRAFTED 500000

#define A_DELTA 30 /* bytes, mostly */

/* A draft replaces the one before only if its window is longer than none. */
static int may_be_draft(const nytp_recorder *r, int64_t now) {
    uint32_t n = r->queue.place_n + r->queue.node_n;
    return nytp_writer_drafts(r->output.writer) && now > r->window.start && n < MOST_DRAFTED;
}

/* The end is one only if the file might become larger than it may. A quarter of the file is for definitions to come, of
 * a thread a 32nd.
 * Streams for threads to come, of which a server has as many as it has threads at a time, have drafts wherever they
 * may. */
static int is_to_be_draft(nytp_recorder *r, int64_t now, int is_end) {
    const nytp_writer *w = r->output.writer;
    uint64_t limit = (uint64_t)r->options->maxsize, most = limit / (r->output.is_thread ? 32 : 4);
    uint32_t n = r->queue.place_n + r->queue.node_n;
    if (!may_be_draft(r, now)) return 0;
    if (r->output.relays) return 1;
    if (nytp_writer_is_tight(w, nytp_writer_pending(w) + (size_t)n * A_DELTA)) return 1;
    return !is_end && (!nytp_budget_pays(r, now) || (limit && nytp_writer_bytes(w) > most));
}

/* What was put is written, and a window or half ends. */
static void begin_window(nytp_recorder *r, int64_t now) {
    nytp_lag_keep(r);
    nytp_latency_keep(r);
    nytp_flush_settle(r);
    r->window.start = now;
    r->window.off = r->window.flush = r->window.waited = r->window.cold = 0;
}

/* The window is written for good: what was put, others bytes of records behind others. */
static void complete(nytp_recorder *r, uint64_t others, int64_t now) {
    nytp_writer *w = r->output.writer;
    uint64_t all = nytp_writer_pending(w), bytes = nytp_writer_bytes(w);
    nytp_writer_chunk(w, r->window.start, now);
    if (all) nytp_budget_spend(r, (nytp_writer_bytes(w) - bytes) * (all - others) / all);
    begin_window(r, now);
}

static int is_half(const nytp_recorder *r, int64_t now) {
    return r->options->ring && now - r->window.start >= r->options->ring * (int64_t)r->clock.ticks_per_second;
}

/* Definitions are no part of a draft. Of a ring what finds no room is part of a later draft. */
static void write_window(nytp_recorder *r, int64_t now, int is_end) {
    nytp_writer *w = r->output.writer;
    int is_ring = r->options->ring != 0, is_draft = is_ring || is_to_be_draft(r, now, is_end);
    if (is_ring && now <= r->window.start) return;
    if (is_draft && nytp_writer_pending(w)) nytp_writer_chunk(w, r->window.start, r->window.start);
    uint64_t others = nytp_writer_pending(w);
    put_window(r, now);
    if (is_draft && is_end) nytp_output_put_end(r, now); /* else it is behind the window */
    int is_written = is_draft && nytp_writer_draft(w, r->window.start, now);
    r->output.has_end = is_draft && is_end && (is_written || !is_ring);
    if (is_written && is_half(r, now)) {
        nytp_writer_turn(w);
        begin_window(r, now);
    } else if (!is_written && !is_ring) {
        complete(r, others, now);
    } else if (!nytp_deltas_keep(r)) {
        nytp_recorder_fail(r);
    }
}

/* ---- timing ---- */

static void charge_up_to(nytp_recorder *r, int64_t now) {
    nytp_end_intervals(r, now);
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
}

/* A twentieth of the run so far, between a tenth of a second and one, or ten where there are no drafts: the loss when
 * the process is killed stays in proportion to the run, and a week's profile stays small. */
static int64_t next_window(const nytp_recorder *r, int64_t now) {
    int64_t second = (int64_t)r->clock.ticks_per_second;
    int64_t window = (now - r->started) / 20, most = r->output.writer && nytp_writer_drafts(r->output.writer) ? 1 : 10;
    if (window < second / 10) window = second / 10;
    return window > second * most ? second * most : window;
}

/* The first windows are a millisecond, one, two, four and so on: a program that crashes at once leaves half of what it
 * did. */
int64_t nytp_flush_next(const nytp_recorder *r, int64_t now) {
    int64_t window = next_window(r, now), first = (int64_t)r->clock.ticks_per_second / 1000;
    int64_t age = now - r->window.begun > first ? now - r->window.begun : first;
    return now + (age < window ? age : window);
}

/* Time of writing is not charged: the next intervals begin after it, unless the program goes on meanwhile. The current
 * place and node may stay so for several windows without an event, so they are queued again. */
static void resume_after(nytp_recorder *r, int64_t now) {
    int64_t clock = nytp_now(r), done = clock > now ? clock : now, after = r->front.is_apart ? now : done;
    r->window.cost = done - now;
    r->window.flush += after - now;
    nytp_begin_intervals(r, after);
    if (nytp_lag_is_heard(r)) nytp_lag_tell(r, nytp_lag_now(r));
    nytp_sequence_due(r, nytp_flush_next(r, after));
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
}

static void say(nytp_recorder *r, const char *why, const char *and_so) {
    char line[NYTP_ERROR_TEXT + 100];
    snprintf(line, sizeof line, "NYTProf: %s: %s; %s", r->output.name, why, and_so);
    nytp_front_say(r, line);
}

static void say_that_it_ends(nytp_recorder *r, const char *why) { say(r, why, "the profile ends here"); }

static void say_that_it_waits(nytp_recorder *r) {
    nytp_error e = {0};
    if (r->output.is_said) return;
    r->output.is_said = 1;
    errno = EFBIG;
    nytp_error_sys(&e, "writing the capture");
    say(r, e.text, "the profile goes on when there is room");
}

void nytp_flush_say_once(nytp_recorder *r) {
    const nytp_error *e = nytp_writer_error(r->output.writer), *waits = nytp_writer_waits(r->output.writer);
    if (r->output.is_said || (!e->code && !waits->code)) return;
    r->output.is_said = 1;
    if (e->code) say_that_it_ends(r, e->text);
    else say(r, waits->text, "the profile goes on when there is room");
}

/* Without memory a window cannot be written, and trying would break the output for good. Counters are written at the
 * end, when there may be memory again. */
static void stop(nytp_recorder *r) {
    nytp_recorder_off(r);
    nytp_front_stopped(r);
    say_that_it_ends(r, "out of memory");
}

#define WRITING (1u << 20) /* bytes for a chunk, for deflating and for a piece of source */
#define A_COUNTER 96       /* bytes for its definitions and its delta, until they are deflated */

/* Maps what writing a window may need, and gives it back: a window for which memory runs out on the way would break the
 * output for good. */
static int has_memory(const nytp_recorder *r) {
    size_t n = WRITING + ((size_t)r->queue.place_n + r->queue.node_n) * A_COUNTER;
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p != MAP_FAILED && munmap(p, n) == 0;
}

/* The noted calls belong to the window, so they come before any record that might close the chunk. */
static void write_ordered(nytp_recorder *r, int64_t now) {
    nytp_sequence_find(r);
    define_queued(r);
    write_window(r, now, 1);
}

/* What is written: counts and what they need; a window, with source; or all definitions, too. */
enum extent { COUNTS, WINDOW, EVERYTHING };

/* What has little room is defined as far as it is counted. */
static void write_all(nytp_recorder *r, int64_t now, enum extent extent) {
    if (nytp_sequence_is_wanted(r)) write_ordered(r, now);
    int is_end = extent == EVERYTHING || r->output.is_ending;
    nytp_touch_place(r, &r->places.nowhere);
    nytp_touch_node(r, &r->nodes.root);
    enum nytp_squeezed squeezed = nytp_squeeze(r, is_end);
    if (squeezed == NYTP_SQUEEZED_BADLY) nytp_recorder_fail(r);
    if (squeezed == NYTP_SQUEEZED_LATER) {
        say_that_it_waits(r);
        return;
    }
    if (squeezed) extent = COUNTS;
    if (extent == EVERYTHING) nytp_define_everything(r);
    define_queued(r);
    if (extent != COUNTS) nytp_files_write_sources(r);
    if (!squeezed) write_carried(r);
    if (!squeezed) nytp_marks_write(r);
    if (nytp_writer_is_tight(r->output.writer, 0)) nytp_output_notice(r, NYTP_NOTICE_FULL);
    nytp_output_notices(r);
    nytp_files_close_chunk_if_full(r);
    write_window(r, now, is_end);
}

static void write_what_is_due(nytp_recorder *r, int64_t now, enum extent extent) {
    if (r->dead && r->on) {
        stop(r);
    } else if (r->on && !has_memory(r)) {
        nytp_sequence_due(r, nytp_flush_next(r, now)); /* counting goes on while it needs no memory */
    } else if (!nytp_recorder_moved(r) && r->output.writer) {
        nytp_handlers_own(r);
        now = nytp_due_end(r, now);
        r->output.is_complete = 0;
        if (r->on) charge_up_to(r, now);
        if (r->front.seen) r->front.seen(r->front.self);
        write_all(r, now, extent);
        nytp_flush_say_once(r);
        if (r->on) resume_after(r, now);
    }
}

static void flush(nytp_recorder *r, int64_t now, enum extent extent) {
    int saved = errno;
    nytp_front_writes(r);
    write_what_is_due(r, now, extent);
    nytp_front_has_written(r);
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
    uint32_t spared = has_returned ? NYTP_DELTAS_ALL : r->place->id;
    put_deltas(r, spared, now);
    settle(r, spared);
    nytp_touch_place(r, r->place);
    nytp_touch_node(r, r->node);
    nytp_begin_intervals(r, now);
    nytp_cold_since(r, now);
    errno = saved;
}

/* Source waits for a tenth of a second: most programs have compiled theirs then, or ended. */
void nytp_flush(nytp_recorder *r, int64_t now) {
    int is_early = now - r->window.begun < (int64_t)r->clock.ticks_per_second / 10;
    if (nytp_sequence_only(r, now) && !r->is_asked) note(r, now);
    else flush(r, now, is_early ? COUNTS : WINDOW);
    nytp_handlers_answer(r);
}

/* While switched off the window ends where counting ended; the time since is recorded as off. But of two drafts the one
 * with the later end counts: where all windows are drafts one with the stream's end is to be later than the others. */
static int64_t end_of_window(nytp_recorder *r) {
    int64_t now = nytp_now(r);
    if (r->on) return now;
    if (r->output.relays || r->options->ring) {
        r->window.off += now - r->window.off_since;
        r->window.off_since = now;
    }
    return r->window.off_since;
}

void nytp_flush_all(nytp_recorder *r) { flush(r, end_of_window(r), WINDOW); }

void nytp_flush_last(nytp_recorder *r) { flush(r, end_of_window(r), EVERYTHING); }

void nytp_flush_carried_over(nytp_recorder *r) {
    int64_t begin = r->last; /* the recorder has just been switched on */
    nytp_end_intervals(r, begin);
    for (nytp_live_node *n = nytp_nodes_next(&r->nodes.root); n; n = nytp_nodes_next(n)) {
        if (!nytp_deltas_calls(r, n) && !n->ticks) continue;
        n->written_ticks = 0;
        nytp_touch_node(r, n);
    }
    define_queued(r);
    write_prices(r);
    nytp_deltas_put_nodes(r, 1);
    nytp_front_writes(r);
    nytp_writer_chunk(r->output.writer, r->window.start, r->window.start);
    nytp_front_has_written(r);
    if (!nytp_deltas_settle_nodes(r)) nytp_recorder_fail(r);
    nytp_touch_node(r, r->node); /* its interval goes on */
    nytp_begin_intervals(r, begin);
}

/* The most windows in a row before waits; time earns more. */
#define WAITS_AT_ONCE 30
#define WRITING_SHARE 50 /* writing them takes a fiftieth of the time */

int nytp_flush_due(const nytp_recorder *r, int64_t now) { return r->window.next_wait < now; }

/* Drafts may come as often as ten times a second, but no more often than ordinary windows if they take long. */
static int64_t between_waits(const nytp_recorder *r, int64_t now) {
    int64_t least = (int64_t)r->clock.ticks_per_second / 10, window = next_window(r, now);
    int64_t by_cost = r->window.cost * WRITING_SHARE;
    if (!r->output.writer || !nytp_writer_drafts(r->output.writer)) return window;
    return by_cost < least ? least : by_cost < window ? by_cost : window;
}

void nytp_flush_count_wait(nytp_recorder *r, int64_t now) {
    int64_t each = between_waits(r, now), earliest = now - WAITS_AT_ONCE * each;
    r->window.next_wait = (r->window.next_wait > earliest ? r->window.next_wait : earliest) + each;
}

void nytp_flush_before_wait(nytp_recorder *r, int64_t now) {
    nytp_flush_count_wait(r, now);
    flush(r, now, WINDOW);
}

void nytp_flush_while_off(nytp_recorder *r) {
    if (r->output.writer && nytp_flush_due(r, r->window.off_since)) nytp_flush_before_wait(r, r->window.off_since);
}
