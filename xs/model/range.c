/* SPDX-License-Identifier: MIT */
/* range.c - the weight of each window, and what of its records is left by it. */
#include "model/range.h"

#include "base/ticks.h"
#include "model/notes.h"

/* ---- which windows count ---- */

/* When a window began or ended, in ns since the range's origin. */
static int64_t since_origin(const nytp_loader *l, const nytp_stream *s, int64_t ticks) {
    return (int64_t)(nytp_stream_epoch(s, ticks) - l->origin);
}

static int is_in_time(const nytp_loader *l, int64_t end) {
    const nytp_load_options *o = l->options;
    return (!o->from || end > (int64_t)o->from) && (!o->to || end <= (int64_t)o->to);
}

/* Notes which time the windows that count have, of the process and of all. What counts of this one begins with start,
 * in ticks. */
static void extend(nytp_loader *l, nytp_stream *s, int64_t start, int64_t end) {
    int64_t begin = since_origin(l, s, start);
    nytp_process *process = &l->p->processes[s->process];
    if (!s->has_begun) process->start = nytp_stream_epoch(s, start);
    s->has_begun = 1;
    if (!l->windows || begin < l->first) l->first = begin;
    if (!l->windows || end > l->last) l->last = end;
    l->windows++;
}

/* Of a window; what has no time has no amounts either. */
static void weigh_chunk(nytp_loader *l, nytp_stream *s, nytp_str bytes) {
    const nytp_load_options *o = l->options;
    const nytp_taken_stream *taken = o->since ? nytp_taken_of(o->since, &s->info.stream) : NULL;
    int64_t end = since_origin(l, s, s->info.end);
    s->is_weighed = 1;
    if (s->info.end <= s->info.start) return;
    if (end > l->latest) l->latest = end;
    s->weight = nytp_taken_is_new(taken, &s->info) && is_in_time(l, end);
    if (!s->weight) return;
    const nytp_taken_stream *replaced = nytp_taken_is_replaced(taken, &s->info) ? taken : NULL;
    if (replaced) s->replaces = 1;
    extend(l, s, replaced ? replaced->end : s->info.start, end);
    if (o->taken) nytp_taken_add(o->taken, &s->info, bytes);
    if (o->taken && o->taken->failed) nytp_loader_no_memory(l);
}

/* The weight has to wait for the record process_start, which tells the clock. */
void nytp_range_enter(const nytp_loader *l, nytp_stream *s) {
    s->is_weighed = l->is_less;
    s->weight = l->is_less ? -1 : 0;
}

const nytp_taken_stream *nytp_range_replaced(const nytp_loader *l, const nytp_stream *s, const nytp_stream_id *id) {
    return s->replaces ? nytp_taken_of(l->options->since, id) : NULL;
}

/* ---- records ---- */

static void weigh_delta(nytp_rec_delta *r, int32_t weight) {
    r->count = nytp_ticks_times(r->count, weight);
    r->ticks = nytp_ticks_times(r->ticks, weight);
    for (int i = 0; i < NYTP_EVENTS; i++) r->events[i] = nytp_ticks_times(r->events[i], weight);
}

/* Its clock is one of all windows. */
static void weigh_window(nytp_rec_window *r, int32_t weight) {
    int64_t *const times[] = {&r->subtracted, &r->flush, &r->off, &r->waited, &r->cold};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) *times[i] = nytp_ticks_times(*times[i], weight);
}

static void weigh_memory(nytp_rec_memory *r, int32_t weight) {
    r->count = nytp_ticks_times(r->count, weight);
    r->bytes = nytp_ticks_times(r->bytes, weight);
}

static void weigh_tally(nytp_rec_tally *r, int32_t weight) {
    r->count = nytp_ticks_times(r->count, weight);
    r->sum = nytp_ticks_times(r->sum, weight);
}

static void weigh_seen(nytp_rec_seen *r, int32_t weight) {
    r->samples = nytp_ticks_times(r->samples, weight);
    r->ns = nytp_ticks_times(r->ns, weight);
}

static int has_amounts(uint32_t kind) {
    return kind == NYTP_REC_WINDOW || kind == NYTP_REC_PLACE_DELTA || kind == NYTP_REC_NODE_DELTA ||
           kind == NYTP_REC_VALUES || kind == NYTP_REC_COST || kind == NYTP_REC_OLD_PLACE_MEMORY ||
           kind == NYTP_REC_OLD_NODE_MEMORY || kind == NYTP_REC_MARK || kind == NYTP_REC_TALLY ||
           kind == NYTP_REC_BUCKETS || kind == NYTP_REC_SEEN;
}

/* Events in records of cost are those of older captures, which have no drafts. */
static void weigh(nytp_record *r, int32_t weight) {
    switch (r->kind) {
    case NYTP_REC_WINDOW: weigh_window(&r->u.window, weight); break;
    case NYTP_REC_VALUES: r->u.value.value = nytp_ticks_times(r->u.value.value, weight); break;
    case NYTP_REC_TALLY: weigh_tally(&r->u.tally, weight); break;
    case NYTP_REC_SEEN: weigh_seen(&r->u.seen, weight); break;
    case NYTP_REC_BUCKETS: r->u.bucket.count = nytp_ticks_times(r->u.bucket.count, weight); break;
    case NYTP_REC_PLACE_DELTA:
    case NYTP_REC_NODE_DELTA:
        weigh_delta(&r->u.delta, weight);
        r->spread *= (float)weight;
        break;
    default: weigh_memory(&r->u.memory, weight);
    }
}

int nytp_range_leaves(nytp_loader *l, nytp_stream *s, nytp_record *r, nytp_str bytes) {
    if (!has_amounts(r->kind)) return s->weight >= 0;
    if (!s->is_weighed) weigh_chunk(l, s, bytes);
    if (l->e->code || (!s->weight && r->kind != NYTP_REC_WINDOW)) return 0;
    if (r->kind == NYTP_REC_COST || r->kind == NYTP_REC_MARK) return s->weight > 0;
    if (s->weight != 1) weigh(r, s->weight);
    return 1;
}

/* Time stood still for them, at its beginning or at its end. */
void nytp_range_drop_calls(nytp_process *process) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < process->spans_n; i++) {
        const nytp_span *span = &process->spans[i];
        int is_outside = !span->length && (span->begin == 0 || span->begin == process->spent);
        if (!is_outside) process->spans[kept++] = *span;
    }
    process->spans_n = kept;
}

/* ---- the end ---- */

static double seconds(int64_t ns) { return (double)ns / NYTP_NANOSECONDS; }

static enum nytp_code keep_taken(nytp_loader *l) {
    nytp_taken *to = l->options->taken;
    const nytp_taken *before = l->options->since;
    size_t n = to && before ? before->streams.n / sizeof(nytp_taken_stream) : 0;
    for (size_t i = 0; i < n; i++) nytp_taken_keep(to, (const nytp_taken_stream *)(void *)before->streams.p + i);
    return to && to->failed ? nytp_loader_no_memory(l) : NYTP_OK;
}

enum nytp_code nytp_range_finish(nytp_loader *l) {
    const nytp_load_options *o = l->options;
    l->p->is_part = nytp_range_is_asked(o);
    if (keep_taken(l)) return l->e->code;
    if (!o->from && !o->to) return NYTP_OK;
    if (!l->windows && o->to)
        return nytp_error_set(l->e, NYTP_FORMAT, "nothing was measured from %.3f to %.3f s; the profile ends at %.3f s",
                              seconds((int64_t)o->from), seconds((int64_t)o->to), seconds(l->latest));
    if (!l->windows)
        return nytp_error_set(l->e, NYTP_FORMAT, "nothing was measured after %.3f s; the profile ends at %.3f s",
                              seconds((int64_t)o->from), seconds(l->latest));
    nytp_notes_add(l->p, "A part of the profile: its windows have the time from %.3f to %.3f s.", seconds(l->first),
                   seconds(l->last));
    return NYTP_OK;
}
