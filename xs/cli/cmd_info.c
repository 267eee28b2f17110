/* SPDX-License-Identifier: MIT */
/* cmd_info.c - `nytprof info`: the contents of a capture in ten lines, and whether it is complete. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/grow.h"
#include "base/map.h"
#include "capture/clock.h"
#include "capture/job.h"
#include "capture/reader.h"
#include "cli/cli.h"
#include "cli/info_build.h"
#include "cli/info_metrics.h"
#include "cli/info_v5.h"
#include "cli/print.h"
#include "report/page.h"
#include "report/quoted.h"
#include "v5/read.h"

typedef struct stream_state {
    uint32_t pid;
    int32_t started, ended; /* a process_start was read; the last record is an end */
    nytp_str host;
    int32_t anchored;       /* has an anchor */
    uint64_t number;        /* of its last chunk */
    uint64_t start;         /* ns since the epoch */
    int64_t start_ticks, last_ticks;
    int64_t anchor_ticks;   /* the first anchor */
    uint64_t anchor_ns;
    nytp_clock clock;       /* only its rate matters */
} stream_state;

typedef struct summary {
    nytp_arena strings;
    nytp_str program, interpreter, host, command, clock, ring; /* of the first stream that has it */
    stream_state *streams;
    uint32_t n_streams, n_stores, streams_room; /* streams include stores */
    nytp_map pids, files, subs, places, nodes; /* (stream, id) seen */
    uint64_t chunk, chunks, stored, raw, statements, calls;
    uint64_t seen;                             /* samples of lines, where statements are not counted */
    int32_t is_seen;                           /* 1: they are not, in a stream */
    uint64_t texts, left;                      /* texts of files in this capture, and those in the store */
    nytp_str store;
    nytp_info_metrics metrics;
    nytp_info_build build;
    nytp_buf totals;                           /* a line for each metric */
    nytp_buf trouble;                          /* a line for each part that is missing */
    nytp_buf running;                          /* a line for each process that is still running */
    uint32_t writer;                           /* the capture's process, if that ran before reading began; or 0 */
    int32_t out_of_memory;
} summary;

/* ---- gathering ---- */

/* Counts an id once; ids are local to their stream. */
static void see(summary *s, nytp_map *seen, uint32_t stream, uint64_t id) {
    uint32_t *mark = nytp_map_at(seen, (uint64_t)stream << 40 ^ id);

    if (mark) *mark = 1;
    else s->out_of_memory = 1;
}

static void keep(summary *s, nytp_str *where, nytp_str text) {
    if (!where->n) *where = nytp_arena_str(&s->strings, text);
    if (!where->p) s->out_of_memory = 1;
}

static void add_line(nytp_buf *to, const char *format, ...) NYTP_PRINTF(2, 3);

static void add_line(nytp_buf *to, const char *format, ...) {
    char text[200];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nytp_buf_bytes(to, "             ", 13);
    nytp_buf_bytes(to, text, strlen(text));
    nytp_buf_byte(to, '\n');
}

static stream_state *state_of(summary *s, const nytp_reader *reader, uint32_t i) {
    while (s->n_streams <= i) {
        stream_state *new = nytp_grow_owned(&s->streams, s->n_streams, &s->streams_room, sizeof *new);
        const nytp_stream_id *id = nytp_reader_stream(reader, s->n_streams);
        int is_store = id->front_end == NYTP_FRONT_STORE;

        if (!new) return NULL;
        *new = (stream_state){.pid = id->pid, .ended = is_store, .clock = {.ticks_per_second = 1}};
        s->n_stores += (uint32_t)is_store;
        s->n_streams++;
    }
    return &s->streams[i];
}

/* Chunks of a stream are numbered: a gap means lost chunks. A draft has no number. */
static void check_number(summary *s, stream_state *t, const nytp_chunk_info *c) {
    if (!c->number) return;
    if (c->number == t->number + 2)
        add_line(&s->trouble, "chunk %" PRIu64 " of pid %" PRIu32 " is missing", t->number + 1, t->pid);
    else if (c->number > t->number + 1)
        add_line(&s->trouble, "chunks %" PRIu64 "-%" PRIu64 " of pid %" PRIu32 " are missing", t->number + 1,
                 c->number - 1, t->pid);
    else if (c->number <= t->number)
        add_line(&s->trouble, "chunk %" PRIu64 " of pid %" PRIu32 " comes after its chunk %" PRIu64, c->number, t->pid,
                 t->number);
    t->number = c->number;
}

static void add_chunk(summary *s, stream_state *t, const nytp_chunk_info *c) {
    s->chunks++;
    s->stored += c->stored;
    s->raw += c->raw;
    see(s, &s->pids, 0, c->stream.pid);
    check_number(s, t, c);
    t->ended = 0;
    if (c->end > t->last_ticks || !t->started) t->last_ticks = c->end;
}

static void add_start(summary *s, stream_state *t, const nytp_rec_process_start *r) {
    keep(s, &s->program, r->program);
    keep(s, &s->interpreter, r->interpreter);
    keep(s, &s->clock, r->clock_name);
    if (t->started) return;
    t->started = 1;
    t->start = r->start;
    t->start_ticks = r->start_ticks;
    if (r->ticks_per_second) t->clock.ticks_per_second = r->ticks_per_second;
    t->clock.is_tsc = r->clock_id == NYTP_CLOCK_TSC;
}

static void add_host(summary *s, stream_state *t, nytp_str host) {
    keep(s, &s->host, host);
    keep(s, &t->host, host);
}

static void add_window(stream_state *t, const nytp_rec_window *r) {
    if (t->anchored) {
        nytp_clock_refine(&t->clock, t->anchor_ticks, t->anchor_ns, r->anchor_ticks, r->anchor_ns);
        return;
    }
    t->anchored = 1;
    t->anchor_ticks = r->anchor_ticks;
    t->anchor_ns = r->anchor_ns;
}

static void add_damage(summary *s, const nytp_rec_damage *r) {
    add_line(&s->trouble, "damage: %" PRIu64 " bytes at offset %" PRIu64 ": %.*s", r->length, r->offset,
             (int)r->reason.n, r->reason.p);
}

static void add_record(summary *s, stream_state *t, const nytp_record *r) {
    switch (r->kind) {
    case NYTP_REC_PROCESS_START: add_start(s, t, &r->u.process_start); break;
    case NYTP_REC_PROPERTY:
        if (nytp_str_eq(r->u.pair.key, NYTP_LIT("host"))) add_host(s, t, r->u.pair.value);
        if (nytp_str_eq(r->u.pair.key, NYTP_LIT("command"))) keep(s, &s->command, r->u.pair.value);
        if (nytp_str_eq(r->u.pair.key, NYTP_LIT("store"))) keep(s, &s->store, r->u.pair.value);
        if (nytp_str_eq(r->u.pair.key, NYTP_LIT("ring"))) keep(s, &s->ring, r->u.pair.value);
        if (nytp_str_eq(r->u.pair.key, NYTP_LIT("lines"))) s->is_seen = 1;
        break;
    case NYTP_REC_FILE: see(s, &s->files, r->stream, r->u.file.id); break;
    case NYTP_REC_STORED: s->left++; break;
    case NYTP_REC_SUB: see(s, &s->subs, r->stream, r->u.sub.id); break;
    case NYTP_REC_PLACE: see(s, &s->places, r->stream, r->u.place.id); break;
    case NYTP_REC_NODE: see(s, &s->nodes, r->stream, r->u.node.id); break;
    case NYTP_REC_PLACE_DELTA: s->statements += (uint64_t)r->u.delta.count; break;
    case NYTP_REC_NODE_DELTA: s->calls += (uint64_t)r->u.delta.count; break;
    case NYTP_REC_SEEN: s->seen += (uint64_t)r->u.seen.samples; break;
    case NYTP_REC_WINDOW: add_window(t, &r->u.window); break;
    case NYTP_REC_END: t->ended = 1; break;
    }
    nytp_info_metrics_take(&s->metrics, r);
    nytp_info_build_take(&s->build, r);
}

/* A store is no process. */
static void add_text(summary *s, const nytp_record *r, const nytp_chunk_info *c) {
    if (r->kind == NYTP_REC_TEXT) s->texts++;
    if (r->chunk == s->chunk) return;
    s->chunks++;
    s->stored += c->stored;
    s->raw += c->raw;
    s->chunk = r->chunk;
}

static void gather(summary *s, nytp_reader *reader) {
    nytp_record r;

    while (nytp_reader_next(reader, &r) > 0) {
        stream_state *t;

        if (r.kind == NYTP_REC_DAMAGE) {
            add_damage(s, &r.u.damage);
            continue;
        }
        if (nytp_reader_stream(reader, r.stream)->front_end == NYTP_FRONT_STORE) {
            add_text(s, &r, nytp_reader_chunk(reader));
            continue;
        }
        t = state_of(s, reader, r.stream);
        if (!t) {
            s->out_of_memory = 1;
            return;
        }
        if (r.chunk != s->chunk) add_chunk(s, t, nytp_reader_chunk(reader));
        s->chunk = r.chunk;
        add_record(s, t, &r);
    }
}

/* ---- printing ---- */

static double seconds(const stream_state *t) {
    return ((double)t->last_ticks - (double)t->start_ticks) / (double)t->clock.ticks_per_second;
}

static void add_unfinished(summary *s, const stream_state *t) {
    if (t->ended) return;
    int has_run = s->writer && t->pid == s->writer;
    if (t->started && (has_run || nytp_job_is_running(t->host, t->pid, t->start)))
        add_line(&s->running, "pid %" PRIu32 " is running: last data %.3g s after its start", t->pid, seconds(t));
    else if (t->started)
        add_line(&s->trouble, "pid %" PRIu32 " did not end cleanly: last data %.3g s after its start", t->pid,
                 seconds(t));
    else
        add_line(&s->trouble, "pid %" PRIu32 " did not end cleanly, and its start is missing", t->pid);
}

/* From the first stream's start to the last one's end. */
static void print_times(const summary *s) {
    double begin = 0, end = 0;

    for (uint32_t i = 0; i < s->n_streams; i++) {
        const stream_state *t = &s->streams[i];
        double start = 1e-9 * (double)t->start, stop = start + seconds(t);

        if (!t->started) continue;
        if (!begin || start < begin) begin = start;
        if (stop > end) end = stop;
    }
    nytp_print_times(begin, end);
}

static void print_sources(const summary *s) {
    if (s->texts) printf("%-12s %" PRIu64 " texts that profiles have in common\n", "source", s->texts);
    if (!s->left || s->texts) return;
    printf("%-12s of %" PRIu64 " files in ", "source", s->left);
    nytp_print_text(s->store);
    puts(", beside this file");
}

/* A store before all captures is a stream without a process, and has no rate. */
static uint64_t first_rate(const summary *s) {
    for (uint32_t i = 0; i < s->n_streams; i++)
        if (s->streams[i].started) return s->streams[i].clock.ticks_per_second;
    return s->n_streams ? s->streams[0].clock.ticks_per_second : 0;
}

static void print_counts(const summary *s) {
    printf("%-12s files %" PRIu32 ", subs %" PRIu32 ", places %" PRIu32 ", nodes %" PRIu32 "\n", "defined", s->files.n,
           s->subs.n, s->places.n, s->nodes.n);
    if (s->is_seen && !s->statements)
        printf("%-12s calls %" PRIu64 "; statements were seen in %" PRIu64 " samples\n", "counted", s->calls, s->seen);
    else printf("%-12s statements %" PRIu64 ", calls %" PRIu64 "\n", "counted", s->statements, s->calls);
}

static void print_ring(nytp_str seconds) {
    if (!seconds.n) return;
    printf("%-12s the latest ", "ring");
    nytp_print_text(seconds);
    puts(" s or more are kept");
}

static void print_command(nytp_str command) {
    nytp_buf text = {0};
    nytp_quoted_command(&text, command);
    if (text.n && !text.failed) nytp_print_titled("command", nytp_page_bytes(&text));
    nytp_buf_free(&text);
}

static void print_summary(summary *s) {
    if (s->n_streams == s->n_stores && s->texts) {
        print_sources(s);
        return;
    }
    nytp_print_titled("program", s->program);
    nytp_print_titled("interpreter", s->interpreter);
    nytp_print_titled("host", s->host);
    print_command(s->command);
    print_times(s);
    printf("%-12s ", "clock");
    nytp_print_text(s->clock);
    printf(", %" PRIu64 " ticks a second\n", first_rate(s));
    print_ring(s->ring);
    printf("%-12s %" PRIu32 ", streams %" PRIu32 "\n", "processes", s->pids.n, s->n_streams - s->n_stores);
    printf("%-12s %" PRIu64 ", %" PRIu64 " bytes stored, %" PRIu64 " inflated\n", "chunks", s->chunks, s->stored,
           s->raw);
    if (!nytp_info_build_print(&s->build) || s->files.n) print_counts(s);
    if (s->totals.n) fwrite(s->totals.p, 1, s->totals.n, stdout);
    print_sources(s);
    printf("%-12s %s\n", "whole", s->trouble.n ? "no" : s->running.n ? "so far" : "yes");
    if (s->trouble.n) fwrite(s->trouble.p, 1, s->trouble.n, stdout);
    if (s->running.n) fwrite(s->running.p, 1, s->running.n, stdout);
}

static void release(summary *s) {
    nytp_arena_free(&s->strings);
    free(s->streams);
    nytp_map_free(&s->pids);
    nytp_map_free(&s->files);
    nytp_map_free(&s->subs);
    nytp_map_free(&s->places);
    nytp_map_free(&s->nodes);
    nytp_info_metrics_free(&s->metrics);
    nytp_buf_free(&s->totals);
    nytp_buf_free(&s->trouble);
    nytp_buf_free(&s->running);
}

enum { FILE_NAME };

static const nytp_arg args[] = {[FILE_NAME] = NYTP_CLI_ARGS_FILE, {0}};

static int run_info(const nytp_call *call) {
    const char *path = nytp_cli_only_file(call, &call->values[FILE_NAME]);
    nytp_error e = {0};
    nytp_bytes bytes;
    nytp_reader *reader;
    summary s = {0};

    if (!path) return NYTP_CLI_USAGE;
    nytp_bytes_open(&bytes, path);
    s.writer = nytp_job_running_writer(bytes.fd);
    if (nytp_v5_reader_knows(&bytes)) return nytp_info_v5(&bytes);
    reader = nytp_reader_from(&bytes, &e);
    if (!reader) return nytp_cli_failure(&e);
    gather(&s, reader);
    e = *nytp_reader_error(reader);
    nytp_reader_close(reader);
    for (uint32_t i = 0; i < s.n_streams; i++) add_unfinished(&s, &s.streams[i]);
    if (!s.n_streams && !s.texts) add_line(&s.trouble, "there is no data in it");
    nytp_info_metrics_put(&s.totals, &s.metrics);
    if (s.trouble.failed || s.running.failed || s.totals.failed || s.metrics.failed) s.out_of_memory = 1;
    if (s.out_of_memory) nytp_error_set(&e, NYTP_NOMEM, "%s: out of memory", path);
    if (!e.code) print_summary(&s);
    release(&s);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}

const nytp_verb nytp_info_verb = {
    .name = "info",
    .task = NYTP_TASK_CAPTURES,
    .is_long = 1,
    .arguments = "[OPTIONS] [FILE]",
    .args = args,
    .summary = "shows what is in a capture and whether it is complete",
    .run = run_info,
};
