/* SPDX-License-Identifier: MIT */
/* stream.c - the bookkeeping of one stream: whether its chunks are complete and add up, and the rate of its clock. */
#include "model/stream.h"

#include <inttypes.h>
#include <string.h>

#include "base/ticks.h"
#include "model/notes.h"

#define ANCHORS_APART_NS 10000000u /* closer anchors would give a worse rate than the start record's */

int64_t nytp_stream_scaled(const nytp_stream *s, int64_t ticks) {
    return s->scale == 0 ? ticks : nytp_ticks_whole((double)ticks * s->scale);
}

float nytp_stream_spread(const nytp_stream *s, float spread) {
    return s->scale == 0 ? spread : spread * (float)s->scale;
}

/* As far as it counts. */
static int64_t length_of(const nytp_stream *s) {
    return nytp_ticks_times(nytp_ticks_minus(s->info.end, s->info.start), s->weight);
}

/* besides: ticks that this sum leaves out on purpose. */
static void check(const nytp_stream *s, nytp_profile *p, const nytp_stream_sum *total, int64_t besides,
                  const char *what) {
    int64_t length = length_of(s);
    int64_t written = nytp_ticks_add(s->window.flush, s->window.off);
    int64_t taken = nytp_ticks_add(nytp_ticks_add(s->window.subtracted, s->window.cold), written);
    int64_t found = nytp_ticks_add(nytp_ticks_add(total->ticks, besides), taken);
    if (found == length) return;
    nytp_notes_add(p, "Chunk %" PRIu64 " of process %u does not add up: %s are %" PRId64 " ticks off a window of %"
                   PRId64 ".", s->info.number, s->info.stream.pid, what, nytp_ticks_minus(found, length), length);
}

/* Without option stmts or subs there are deltas of one kind only; a window without deltas must be empty. */
static void check_chunk(const nytp_stream *s, nytp_profile *p) {
    int none = !s->place_sum.deltas && !s->node_sum.deltas;
    if (s->place_sum.deltas || none) check(s, p, &s->place_sum, 0, "its statements");
    if (s->node_sum.deltas) check(s, p, &s->node_sum, s->window.waited, "its calls");
}

/* The process begins with the first window there is. */
static void begin_ring(nytp_stream *s, nytp_profile *p) {
    s->has_begun = 1;
    s->dropped = nytp_ticks_minus(s->info.start, s->start_ticks);
    p->processes[s->process].start = nytp_stream_epoch(s, s->info.start);
}

void nytp_stream_settle(nytp_stream *s, nytp_profile *p) {
    if (!s->chunk) return;
    if (s->has_window) check_chunk(s, p);
    if (s->info.end > s->last_ticks) s->last_ticks = s->info.end;
    s->counted = nytp_ticks_add(s->counted, length_of(s));
    if (s->is_ring && !s->has_begun && s->info.end > s->info.start) begin_ring(s, p);
    int64_t ticks = s->is_part || s->is_ring ? s->counted : nytp_ticks_minus(s->last_ticks, s->start_ticks);
    int64_t elapsed = nytp_stream_scaled(s, ticks);
    p->processes[s->process].elapsed = nytp_ticks_add(s->earlier, elapsed);
    s->chunk = 0;
}

/* In whole seconds and the rest, so that no product overflows. */
int64_t nytp_stream_ns(const nytp_stream *s, int64_t ticks) {
    int64_t rate = s->ticks_per_second && s->ticks_per_second < INT64_MAX / NYTP_NANOSECONDS
                       ? (int64_t)s->ticks_per_second : (int64_t)NYTP_NANOSECONDS;
    return nytp_ticks_add(nytp_ticks_times(ticks / rate, NYTP_NANOSECONDS),
                          ticks % rate * (int64_t)NYTP_NANOSECONDS / rate);
}

uint64_t nytp_stream_epoch(const nytp_stream *s, int64_t ticks) {
    int last = s->anchor_ns[1] ? 1 : 0;
    uint64_t at = s->began ? s->began : s->info.stream.process_start;
    if (!s->anchor_ns[0]) return at + (uint64_t)nytp_stream_ns(s, nytp_ticks_minus(ticks, s->start_ticks));
    at += (uint64_t)nytp_stream_ns(s, nytp_ticks_minus(s->anchor_ticks[0], s->start_ticks));
    at += s->anchor_ns[last] - s->anchor_ns[0];
    return at + (uint64_t)nytp_stream_ns(s, nytp_ticks_minus(ticks, s->anchor_ticks[last]));
}

/* A draft has no number. */
static void count_missing(nytp_stream *s, nytp_process *process, uint64_t number) {
    if (!number) return;
    if (number > s->next_chunk) process->missing += number - s->next_chunk;
    s->next_chunk = number + 1;
    process->chunks++;
}

void nytp_stream_enter(nytp_stream *s, nytp_profile *p, uint64_t number, const nytp_chunk_info *info) {
    if (number == s->chunk) return;
    int first = s->next_chunk == 0;
    nytp_stream_settle(s, p);
    if (first) {
        s->next_chunk = 1;
        s->start_ticks = s->last_ticks = info->start;
    }
    s->chunk = number;
    s->info = *info;
    p->processes[s->process].ending = NYTP_ENDING_MISSING; /* a process goes on after an exec that failed */
    s->has_window = 0;
    memset(&s->place_sum, 0, sizeof s->place_sum);
    memset(&s->node_sum, 0, sizeof s->node_sum);
    count_missing(s, &p->processes[s->process], info->number);
}

/* Calls that were running when profiling began have a beginning there, so a stray end is behind damage. */
void nytp_stream_end_calls(nytp_stream *s, nytp_profile *p) {
    if (!nytp_timeline_is_used(&s->timeline)) return;
    nytp_process *process = &p->processes[s->process];
    nytp_timeline_finish(&s->timeline, process);
    if (s->timeline.strays)
        nytp_notes_add(p, "Ends of calls without a beginning in process %" PRIu32 " are left out: %" PRIu32 ".",
                       process->id.pid, s->timeline.strays);
    s->timeline.strays = 0;
}

void nytp_stream_tell_ring(const nytp_stream *s, nytp_profile *p) {
    double ns = NYTP_NANOSECONDS;
    if (s->dropped <= 0) return;
    nytp_notes_add(p, "Of process %" PRIu32 " the profile has the last %.0f s, and not the %.0f s before, as option "
                   "ring asked for.", s->info.stream.pid, (double)nytp_stream_ns(s, s->counted) / ns,
                   (double)nytp_stream_ns(s, s->dropped) / ns);
}

void nytp_stream_forget(nytp_stream *s) {
    nytp_ids_free(&s->files);
    nytp_ids_free(&s->subs);
    nytp_ids_free(&s->places);
    nytp_ids_free(&s->nodes);
    nytp_ids_free(&s->tails);
    nytp_ids_free(&s->metrics);
    nytp_ids_free(&s->labels);
    nytp_ids_free(&s->timed);
    nytp_ids_free(&s->timed_nodes);
}

void nytp_stream_window(nytp_stream *s, nytp_profile *p, const nytp_rec_window *w) {
    nytp_process *process = &p->processes[s->process];
    s->window = *w;
    s->has_window = 1;
    if (w->threads > process->threads) process->threads = w->threads;
    process->subtracted = nytp_ticks_add(process->subtracted, nytp_stream_scaled(s, w->subtracted));
    process->flush = nytp_ticks_add(process->flush, nytp_stream_scaled(s, w->flush));
    process->off = nytp_ticks_add(process->off, nytp_stream_scaled(s, w->off));
    process->cold = nytp_ticks_add(process->cold, nytp_stream_scaled(s, w->cold));
    process->waited = nytp_ticks_add(process->waited, nytp_stream_scaled(s, w->waited));
    if (s->weight < 0) return;
    int which = s->anchor_ns[0] ? 1 : 0;
    s->anchor_ticks[which] = w->anchor_ticks;
    s->anchor_ns[which] = w->anchor_ns;
}

uint64_t nytp_stream_rate(const nytp_stream *s) {
    if (s->anchor_ns[1] < s->anchor_ns[0] + ANCHORS_APART_NS) return 0;
    double ticks = (double)s->anchor_ticks[1] - (double)s->anchor_ticks[0];
    double rate = ticks / ((double)(s->anchor_ns[1] - s->anchor_ns[0]) * 1e-9);
    return rate >= 1 && rate < 1e12 ? (uint64_t)(rate + 0.5) : 0;
}
