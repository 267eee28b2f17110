/* SPDX-License-Identifier: MIT */
/* replay.c - makes events of format 5 of a capture: statements as they come, calls (summary.h) at the end. */
#include "v5/replay.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/ticks.h"
#include "capture/clock.h"
#include "v5/fids.h"
#include "v5/opening.h"
#include "v5/ordered.h"
#include "v5/summary.h"
#include "v5/times.h"

#define TICKS_PER_SECOND 1e7         /* of format 5 */
#define LONGEST 3e17                 /* ten years in ns; longer times, in a hostile capture, are cut */
#define ANCHORS_APART_NS 10000000u   /* closer anchors would give a worse rate than the start record's */

typedef struct stream {
    nytp_stream_id id;
    nytp_map files, subs, places, nodes; /* the stream's ids, to fid or to number + 1 */
    nytp_rec_process_start start;        /* without its strings */
    nytp_clock clock;
    int64_t anchor_ticks;                /* of its first window */
    uint64_t anchor_ns;
    int64_t overhead;                    /* ticks subtracted, of writing, and charged to no call */
    uint64_t end;                        /* ns since the epoch */
    nytp_ordered ordered;                /* with calls=2 */
    int32_t seen, emitted, ended;        /* 1: has records; PID_START is emitted; the stream is complete */
} stream;

struct nytp_replay {
    nytp_emitter to;
    nytp_opening opening;
    int32_t begun;      /* 1: the beginning is emitted */
    uint32_t first;     /* the first stream that has records */
    int64_t blocks, calls; /* options */
    int32_t is_ordered; /* 1: calls have been emitted in their order */
    nytp_buf streams, places; /* of stream, nytp_timed */
    nytp_fids fids;
    uint32_t lost_fid;  /* file for statements with an unknown place; 0: none yet */
    nytp_summary summary;
    nytp_buf owners;    /* for each context of the summary the number (uint32_t) of its stream */
};

static uint32_t narrow(uint64_t v) { return v < UINT32_MAX ? (uint32_t)v : UINT32_MAX - 1; }

/* Maps a stream's id to a number. */
static void learn(nytp_replay *r, nytp_map *ids, uint64_t id, uint32_t number) {
    uint32_t *at = nytp_map_at(ids, id);
    if (!at) nytp_emitter_no_memory(&r->to);
    else *at = number;
}

/* ---- streams ---- */

static stream *stream_at(const nytp_replay *r, uint32_t i) { return (stream *)r->streams.p + i; }

static uint32_t streams_n(const nytp_replay *r) { return (uint32_t)(r->streams.n / sizeof(stream)); }

/* NULL when memory is short. Numbers may have gaps: a stream with nothing but damage has one, too. */
static stream *stream_of(nytp_replay *r, uint32_t index, const nytp_stream_id *who) {
    const stream none = {0};

    while (streams_n(r) <= index && !r->streams.failed) nytp_buf_bytes(&r->streams, &none, sizeof none);
    if (r->streams.failed) return NULL;
    stream *s = stream_at(r, index);
    if (!s->seen) {
        s->seen = 1;
        s->id = *who;
        s->start.start = s->end = who->process_start;
        s->clock.ticks_per_second = 1000000000; /* until the start record, which may be lost */
    }
    return s;
}

static void forget_ids(stream *s) {
    nytp_ordered_close(&s->ordered);
    nytp_map_free(&s->files);
    nytp_map_free(&s->subs);
    nytp_map_free(&s->places);
    nytp_map_free(&s->nodes);
}

/* The stream's ticks at another rate; LONGEST is the most. */
static int64_t as_ticks(const stream *s, int64_t ticks, double per_second) {
    double v = (double)ticks * per_second / (double)s->clock.ticks_per_second;

    return nytp_ticks_whole(v > LONGEST ? LONGEST : v < -LONGEST ? -LONGEST : v);
}

static void emit_pid(nytp_replay *r, enum nytp_v5_tag tag, const stream *s, uint64_t ns) {
    nytp_v5_event e = {.tag = tag};
    e.u.pid = (nytp_v5_pid){s->id.pid, narrow(s->start.parent_pid), (double)ns * 1e-9};
    nytp_emitter_event(&r->to, &e);
}

static void emit_start(nytp_replay *r, stream *s) {
    if (s->seen && !s->emitted) emit_pid(r, NYTP_V5_PID_START, s, s->start.start);
    s->emitted = 1;
}

/* A second start in a stream: the process finished its profile and began another. */
static void take_start(nytp_replay *r, stream *s, const nytp_rec_process_start *start) {
    if (s->emitted && s->ended) emit_pid(r, NYTP_V5_PID_END, s, s->end);
    forget_ids(s);
    s->emitted = s->ended = 0;
    s->start = *start;
    s->anchor_ns = 0;
    s->clock.id = (int32_t)start->clock_id;
    s->clock.is_tsc = start->clock_id == NYTP_CLOCK_TSC;
    if (start->ticks_per_second) s->clock.ticks_per_second = start->ticks_per_second;
    if (!r->begun && nytp_opening_program(&r->opening, start->program)) nytp_emitter_no_memory(&r->to);
}

/* A TSC's rate becomes more exact with every window; the next event of a place makes up for ticks emitted at an older
 * rate. */
static void take_window(stream *s, const nytp_rec_window *w) {
    s->overhead = nytp_ticks_add(nytp_ticks_add(s->overhead, w->waited), nytp_ticks_add(w->subtracted, w->flush));
    s->overhead = nytp_ticks_add(s->overhead, w->cold);
    s->ended = 0; /* the stream goes on after an exec that failed */
    if (!s->anchor_ns) {
        s->anchor_ticks = w->anchor_ticks;
        s->anchor_ns = w->anchor_ns;
    } else if (w->anchor_ns >= s->anchor_ns + ANCHORS_APART_NS) {
        nytp_clock_refine(&s->clock, s->anchor_ticks, s->anchor_ns, w->anchor_ticks, w->anchor_ns);
    }
}

/* ---- files ---- */

static void take_file(nytp_replay *r, stream *s, const nytp_rec_file *from) {
    uint32_t parent = from->parent ? nytp_map_get(&s->files, from->parent) : 0;

    if (!nytp_map_get(&s->files, from->id))
        learn(r, &s->files, from->id, nytp_fids_add(&r->fids, from, parent, &r->to));
}

/* ---- statements ---- */

static nytp_timed *place_at(const nytp_replay *r, uint32_t number) { return nytp_times_at(&r->places, number); }

static uint32_t add_place(nytp_replay *r, const nytp_timed *like) {
    uint32_t number = nytp_times_add(&r->places, like);

    if (!number) nytp_emitter_no_memory(&r->to);
    return number;
}

static void take_place(nytp_replay *r, stream *s, const nytp_rec_place *from) {
    nytp_timed p = {nytp_map_get(&s->files, from->file), narrow(from->line), narrow(from->block_line),
                    narrow(from->sub_line), 0, 0, 0};

    if (!nytp_map_get(&s->places, from->id)) learn(r, &s->places, from->id, add_place(r, &p));
}

static uint32_t lost_file(nytp_replay *r) {
    nytp_rec_file unknown = {.id = UINT64_MAX, .flags = NYTP_FILE_FAKE, .name = NYTP_LIT("(unknown file)")};

    if (!r->lost_fid) r->lost_fid = nytp_fids_add(&r->fids, &unknown, 0, &r->to);
    return r->lost_fid;
}

/* Statements of a place without definition, lost with a damaged chunk, go to line 1 of a file for them. */
static nytp_timed *known_place(nytp_replay *r, stream *s, uint64_t id) {
    uint32_t number = nytp_map_get(&s->places, id);

    if (!number) {
        const nytp_timed lost = {.line = 1, .block_line = 1, .sub_line = 1};

        number = add_place(r, &lost);
        learn(r, &s->places, id, number);
    }
    if (r->places.failed) return NULL;
    nytp_timed *p = place_at(r, number);
    if (!p->fid) p->fid = lost_file(r);
    return p;
}

static void take_place_delta(nytp_replay *r, stream *s, const nytp_rec_delta *d) {
    nytp_timed *p = d->id ? known_place(r, s, d->id) : NULL; /* time before the first statement has no event */

    if (!p) return;
    p->ticks = nytp_ticks_add(p->ticks, d->ticks);
    nytp_times_emit(p, d->count, as_ticks(s, p->ticks, TICKS_PER_SECOND), r->blocks != 0, &r->to);
}

/* ---- calls ---- */

static void take_sub(nytp_replay *r, stream *s, const nytp_rec_sub *from) {
    uint32_t fid = nytp_map_get(&s->files, from->file);
    uint32_t number = nytp_summary_sub(&r->summary, from, fid, nytp_fids_parent(&r->fids, fid) != 0);

    if (number == NYTP_SUMMARY_FAILED) nytp_emitter_no_memory(&r->to);
    else learn(r, &s->subs, from->id, number + 1);
}

/* The sub for calls of subs without definition. */
static uint32_t known_sub(nytp_replay *r, const stream *s, uint64_t id) {
    uint32_t number = nytp_map_get(&s->subs, id);
    nytp_rec_sub unknown = {0};

    unknown.name = nytp_str_c("(unknown sub)");
    return number ? number - 1 : nytp_summary_sub(&r->summary, &unknown, 0, 0);
}

static void take_node(nytp_replay *r, stream *s, const nytp_rec_node *from) {
    uint32_t parent = nytp_map_get(&s->nodes, from->parent), site = nytp_map_get(&s->places, from->place);
    uint32_t owner = (uint32_t)(s - stream_at(r, 0));
    nytp_context node = {.parent = parent ? parent - 1 : 0, .sub = known_sub(r, s, from->sub)};

    if (nytp_map_get(&s->nodes, from->id)) return;
    if (site) {
        node.file = place_at(r, site)->fid;
        node.line = place_at(r, site)->line;
    }
    nytp_buf_bytes(&r->owners, &owner, sizeof owner);
    uint32_t number = node.sub == NYTP_SUMMARY_FAILED ? node.sub : nytp_summary_node(&r->summary, &node);
    if (number == NYTP_SUMMARY_FAILED || r->owners.failed) nytp_emitter_no_memory(&r->to);
    else learn(r, &s->nodes, from->id, number + 1);
}

static void take_node_delta(nytp_replay *r, const stream *s, const nytp_rec_delta *d) {
    uint32_t number = nytp_map_get(&s->nodes, d->id);
    nytp_context *node = number ? nytp_summary_at(&r->summary, number - 1) : NULL;

    if (!node) return;
    node->calls = nytp_ticks_add(node->calls, d->count);
    node->exclusive = nytp_ticks_add(node->exclusive, d->ticks);
}

static void take_call(nytp_replay *r, stream *s, const nytp_record *from) {
    s->ordered.scale = TICKS_PER_SECOND / (double)s->clock.ticks_per_second;
    if (r->calls > 1) r->is_ordered |= nytp_ordered_record(&s->ordered, &r->summary, &s->nodes, from, &r->to);
}

/* Converts each clock's ticks to nanoseconds, at its final rate. */
static void scale_contexts(nytp_replay *r) {
    const uint32_t *owners = (const uint32_t *)r->owners.p;

    for (uint32_t i = 1; i < nytp_summary_nodes(&r->summary); i++) {
        nytp_context *node = nytp_summary_at(&r->summary, i);

        node->exclusive = as_ticks(stream_at(r, owners[i - 1]), node->exclusive, 1e9);
    }
}

/* ---- records ---- */

int nytp_replay_begin(nytp_replay *r) {
    if (r->begun || !streams_n(r)) return r->to.code;
    r->begun = 1;
    r->blocks = nytp_opening_number(&r->opening, "blocks", 0);
    r->calls = nytp_opening_number(&r->opening, "calls", 1);
    nytp_opening_emit(&r->opening, &stream_at(r, r->first)->start, &r->to);
    return r->to.code;
}

/* Takes records that come before a stream's first file. 1 if the record is done with. */
static int take_opening(nytp_replay *r, stream *s, const nytp_record *from) {
    switch (from->kind) {
    case NYTP_REC_PROCESS_START: take_start(r, s, &from->u.process_start); return 1;
    case NYTP_REC_ATTRIBUTE:
    case NYTP_REC_OPTION:
        if (!r->begun && nytp_opening_pair(&r->opening, from->kind, &from->u.pair)) nytp_emitter_no_memory(&r->to);
        return 1;
    case NYTP_REC_PROPERTY:
    case NYTP_REC_NOTE: return 1; /* format 5 has no notes */
    default: return 0;
    }
}

static void take(nytp_replay *r, stream *s, const nytp_record *from) {
    switch (from->kind) {
    case NYTP_REC_FILE: take_file(r, s, &from->u.file); break;
    case NYTP_REC_SOURCE:
        nytp_fids_source(&r->fids, nytp_map_get(&s->files, from->u.source.file), &from->u.source, &r->to);
        break;
    case NYTP_REC_SUB: take_sub(r, s, &from->u.sub); break;
    case NYTP_REC_PLACE: take_place(r, s, &from->u.place); break;
    case NYTP_REC_NODE: take_node(r, s, &from->u.node); break;
    case NYTP_REC_PLACE_DELTA: take_place_delta(r, s, &from->u.delta); break;
    case NYTP_REC_NODE_DELTA: take_node_delta(r, s, &from->u.delta); break;
    case NYTP_REC_CALL_ENTRY:
    case NYTP_REC_CALL_RETURN: take_call(r, s, from); break;
    case NYTP_REC_WINDOW: take_window(s, &from->u.window); break;
    case NYTP_REC_PROCESS_END: s->end = from->u.process_end.end; break;
    case NYTP_REC_END: s->ended = 1; break;
    }
}

int nytp_replay_record(nytp_replay *r, const nytp_record *record, const nytp_stream_id *who) {
    if (r->to.code || record->kind == NYTP_REC_DAMAGE || !nytp_format_is_profiled(who)) return r->to.code;
    if (!streams_n(r)) r->first = record->stream;
    if (record->stream != r->first) nytp_replay_begin(r);
    stream *s = stream_of(r, record->stream, who);
    if (!s) nytp_emitter_no_memory(&r->to);
    if (r->to.code || take_opening(r, s, record)) return r->to.code;
    nytp_replay_begin(r);
    emit_start(r, s);
    take(r, s, record);
    return r->to.code;
}

static void emit_overhead(nytp_replay *r) {
    nytp_v5_event e = {.tag = NYTP_V5_ATTRIBUTE};
    int64_t ticks = 0;
    char text[32];

    for (uint32_t i = 0; i < streams_n(r); i++)
        if (stream_at(r, i)->seen)
            ticks = nytp_ticks_add(ticks, as_ticks(stream_at(r, i), stream_at(r, i)->overhead, TICKS_PER_SECOND));
    snprintf(text, sizeof text, "%lld", (long long)ticks);
    e.u.pair = (nytp_v5_pair){NYTP_LIT("cumulative_overhead_ticks"), nytp_str_c(text)};
    nytp_emitter_event(&r->to, &e);
}

int nytp_replay_finish(nytp_replay *r) {
    nytp_replay_begin(r);
    for (uint32_t i = 0; i < streams_n(r); i++) emit_start(r, stream_at(r, i));
    if (r->to.code || !r->begun) return r->to.code;
    for (uint32_t i = 0; i < streams_n(r); i++) nytp_ordered_finish(&stream_at(r, i)->ordered, &r->summary, &r->to);
    scale_contexts(r);
    nytp_summary_emit_calls(&r->summary, r->is_ordered ? 0 : r->calls, &r->to);
    emit_overhead(r);
    nytp_summary_emit_subs(&r->summary, nytp_fids_first(&r->fids), &r->to);
    for (uint32_t i = 0; i < streams_n(r); i++)
        if (stream_at(r, i)->ended) emit_pid(r, NYTP_V5_PID_END, stream_at(r, i), stream_at(r, i)->end);
    return r->to.code;
}

nytp_replay *nytp_replay_open(nytp_v5_callback *callback, void *self, int64_t most) {
    nytp_replay *r = calloc(1, sizeof *r);

    if (!r) return NULL;
    r->to = (nytp_emitter){callback, self, most, 0};
    if (nytp_summary_open(&r->summary) == NYTP_OK) return r;
    nytp_replay_close(r);
    return NULL;
}

void nytp_replay_allow(nytp_replay *r, int64_t more) { r->to.left += more; }

void nytp_replay_close(nytp_replay *r) {
    if (!r) return;
    for (uint32_t i = 0; i < streams_n(r); i++) forget_ids(stream_at(r, i));
    nytp_opening_close(&r->opening);
    nytp_summary_close(&r->summary);
    nytp_fids_close(&r->fids);
    nytp_buf_free(&r->streams);
    nytp_buf_free(&r->places);
    nytp_buf_free(&r->owners);
    free(r);
}
