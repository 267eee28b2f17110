/* SPDX-License-Identifier: MIT */
/* join.c - captures made one: whole chunks are copied, without a look into them. */
#include "capture/join.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "base/table.h"
#include "capture/append.h"
#include "capture/beside.h"
#include "capture/redact.h"
#include "capture/store.h"

/* What is known of the source of a capture that was added. */
typedef struct part {
    const char *path;  /* borrowed */
    nytp_buf store;    /* the name of the store that it has its source in */
    int32_t has_texts; /* 1: it is a store, or has been merged with one */
} part;

struct nytp_join {
    nytp_append out;
    nytp_redact *redact; /* copies the chunks; NULL: they stay as they are */
    nytp_error error;
    nytp_buf heads;    /* of the chunks joined so far; each has its chunk's CRC */
    nytp_table joined; /* 1 + index of head */
    nytp_map texts;  /* keys of texts, as numbers, to an enum wish */
    uint32_t wanted; /* number of texts that are wanted */
    nytp_buf parts;  /* of part */
};

enum wish { UNKNOWN, WANTED, JOINED };

static void put_text(nytp_join *j, nytp_str merged) {
    nytp_buf text = {0};
    nytp_buf_bytes(&text, NYTP_FORMAT_FIRST_LINE ":merged=", sizeof NYTP_FORMAT_FIRST_LINE ":merged=" - 1);
    nytp_buf_escaped(&text, merged, NYTP_FORMAT_LINE_MAX - sizeof ":merged=\n");
    nytp_buf_byte(&text, '\n');
    if (text.failed) nytp_error_set(&j->error, NYTP_NOMEM, "out of memory");
    else nytp_append_write(&j->out, text.p, text.n, &j->error);
    nytp_buf_free(&text);
}

/* The copies go to the same open file. */
static nytp_redact *open_redact(int fd, int64_t what, const nytp_mask *mask) {
    int same = dup(fd);
    nytp_redact *x = same < 0 ? NULL : nytp_redact_open(same, what, mask);
    if (!x && same >= 0) close(same);
    return x;
}

nytp_join *nytp_join_open(int fd, nytp_str merged, int64_t redact, const nytp_mask *mask) {
    nytp_join *j = calloc(1, sizeof *j);
    int is_copied = redact || mask;
    if (j && is_copied) j->redact = open_redact(fd, redact, mask);
    if (!j || (is_copied && !j->redact)) {
        free(j);
        return NULL;
    }
    nytp_append_open(&j->out, fd);
    put_text(j, merged);
    return j;
}

static int is_same_head(const void *of, uint32_t number, const void *head) {
    const nytp_buf *heads = of;
    return memcmp(heads->p + (size_t)(number - 1) * NYTP_FORMAT_CHUNK_HEAD, head, NYTP_FORMAT_CHUNK_HEAD) == 0;
}

/* 1 if the chunk is in no earlier capture. */
static int is_new_chunk(nytp_join *j, nytp_str chunk, nytp_join_counts *counts) {
    nytp_str head = {chunk.p, NYTP_FORMAT_CHUNK_HEAD};
    uint32_t *joined = nytp_table_at(&j->joined, nytp_str_hash(head), is_same_head, &j->heads, head.p);
    int is_new = joined && !*joined;
    if (is_new) nytp_buf_bytes(&j->heads, head.p, head.n);
    if (!joined || j->heads.failed) {
        nytp_error_set(&j->error, NYTP_NOMEM, "out of memory");
        return 0;
    }
    *joined = is_new ? (uint32_t)(j->heads.n / NYTP_FORMAT_CHUNK_HEAD) : *joined;
    counts->chunks += (uint32_t)is_new;
    counts->repeated += !is_new;
    return is_new;
}

static void put_chunk(nytp_join *j, nytp_str chunk, nytp_join_counts *counts) {
    if (is_new_chunk(j, chunk, counts)) nytp_append_write(&j->out, chunk.p, chunk.n, &j->error);
}

/* ---- source that captures have left to a store ---- */

static void wish(nytp_join *j, nytp_str key, enum wish now) {
    uint64_t number = nytp_store_number(key);
    uint32_t *was = number ? nytp_map_at(&j->texts, number) : NULL;
    if (number && !was) nytp_error_set(&j->error, NYTP_NOMEM, "out of memory");
    if (!was || *was >= (uint32_t)now) return;
    if (now == WANTED) j->wanted++;
    else if (*was == WANTED) j->wanted--;
    *was = (uint32_t)now;
}

static void note_source(nytp_join *j, part *p, const nytp_record *r) {
    if (r->kind == NYTP_REC_STORED) wish(j, r->u.stored.key, WANTED);
    if (r->kind == NYTP_REC_TEXT) p->has_texts = 1;
    if (r->kind != NYTP_REC_PROPERTY || !nytp_str_eq(r->u.pair.key, NYTP_LIT("store"))) return;
    nytp_buf_clear(&p->store);
    nytp_buf_bytes(&p->store, r->u.pair.value.p, r->u.pair.value.n);
}

static int is_to_join(const nytp_join *j, const nytp_record *r, int all) {
    if (r->kind != NYTP_REC_TEXT) return 0;
    uint32_t is = nytp_map_get(&j->texts, nytp_store_number(r->u.text.key));
    return all ? is != JOINED : is == WANTED;
}

/* all is 1: all texts, 0: those that are wanted. Texts in a damaged part of a store are lost. */
static void take_texts(nytp_join *j, nytp_bytes *bytes, int all) {
    nytp_join_counts ignored = {0};
    nytp_error e = {0};
    nytp_record r;
    nytp_reader *reader = nytp_reader_from(bytes, &e);
    while (reader && (all || j->wanted) && !j->error.code && nytp_reader_next(reader, &r) > 0) {
        if (!is_to_join(j, &r, all)) continue;
        put_chunk(j, nytp_reader_chunk_bytes(reader), &ignored);
        wish(j, r.u.text.key, JOINED);
    }
    if (reader) e = *nytp_reader_error(reader);
    if (e.code == NYTP_NOMEM) nytp_error_set(&j->error, e.code, "%s", e.text);
    nytp_reader_close(reader);
}

static void take_own_texts(nytp_join *j, const part *p) {
    nytp_bytes bytes;
    int fd = nytp_beside_reopen(p->path);
    if (fd < 0) return;
    nytp_bytes_from(&bytes, p->path, fd);
    take_texts(j, &bytes, 1);
}

static void take_from_store(nytp_join *j, const part *p) {
    nytp_str name = {(const char *)p->store.p, p->store.n};
    int64_t budget = NYTP_BESIDE_MOST;
    nytp_buf path = {0};
    nytp_bytes bytes;
    int fd = j->wanted ? nytp_beside_open(p->path, name, &budget, &path) : -1;
    if (fd >= 0) {
        nytp_bytes_from(&bytes, (const char *)path.p, fd);
        take_texts(j, &bytes, 0);
    }
    if (path.failed) nytp_error_set(&j->error, NYTP_NOMEM, "out of memory");
    nytp_buf_free(&path);
}

uint32_t nytp_join_sources(nytp_join *j) {
    const part *parts = (const part *)(const void *)j->parts.p;
    size_t n = j->parts.n / sizeof *parts;
    for (size_t i = 0; i < n; i++)
        if (parts[i].has_texts) take_own_texts(j, parts + i);
    for (size_t i = 0; i < n; i++) take_from_store(j, parts + i);
    return j->wanted;
}

/* ---- turns of captures ---- */

/* A capture among those that are joined in the order of time. */
typedef struct turn {
    nytp_join_input *input;
    part part;
    nytp_record record; /* the next one */
    int more;           /* what nytp_reader_next has said of it */
    int64_t time;       /* of its chunk: ns since the epoch, by the clock's offset; INT64_MIN: not known */
    nytp_map clocks;    /* by stream: 1 + index in offsets */
    nytp_buf offsets;   /* int64_t: from a clock to ns since the epoch; few, as a host's processes have one */
} turn;

static void fail_for_memory(nytp_join *j) { nytp_error_set(&j->error, NYTP_NOMEM, "out of memory"); }

#define SAME_CLOCK 100000000 /* ns between offsets of one clock that were taken at different times */

static uint32_t clock_of(nytp_buf *offsets, int64_t offset) {
    const int64_t *all = (const int64_t *)(const void *)offsets->p;
    uint32_t n = (uint32_t)(offsets->n / sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        if ((uint64_t)offset - (uint64_t)all[i] + SAME_CLOCK <= 2 * SAME_CLOCK) return i + 1;
    nytp_buf_bytes(offsets, &offset, sizeof offset);
    return n + 1;
}

/* Of streams of builds only, whose ticks are nanoseconds. */
static void note_clock(nytp_join *j, turn *t) {
    const nytp_rec_process_start *start = &t->record.u.process_start;
    uint32_t *clock = nytp_map_at(&t->clocks, t->record.stream + 1u);
    if (clock) *clock = clock_of(&t->offsets, (int64_t)(start->start - (uint64_t)start->start_ticks));
    if (!clock || t->offsets.failed) fail_for_memory(j);
}

/* By the record, as not all chunks have times. */
static uint64_t ticks_of(const nytp_record *r, const nytp_chunk_info *chunk) {
    switch (r->kind) {
    case NYTP_REC_PROCESS_START: return (uint64_t)r->u.process_start.start_ticks;
    case NYTP_REC_PROCESS: return r->u.process.start;
    case NYTP_REC_EXIT: return r->u.exit.end;
    }
    return (uint64_t)chunk->start;
}

/* The next record of a capture. */
static void step(nytp_join *j, turn *t) {
    nytp_reader *reader = t->input->reader;
    uint32_t clock;
    t->time = INT64_MIN;
    if ((t->more = nytp_reader_next(reader, &t->record)) <= 0 || t->record.kind == NYTP_REC_DAMAGE) return;
    const nytp_chunk_info *chunk = nytp_reader_chunk(reader);
    if (chunk->stream.front_end != NYTP_FRONT_BUILD) return;
    if (t->record.kind == NYTP_REC_PROCESS_START) note_clock(j, t);
    clock = nytp_map_get(&t->clocks, t->record.stream + 1u);
    if (!clock || j->error.code) return;
    t->time = ((const int64_t *)(const void *)t->offsets.p)[clock - 1];
    t->time = (int64_t)((uint64_t)t->time + ticks_of(&t->record, chunk));
}

static void begin_turn(nytp_join *j, turn *t, nytp_join_input *input) {
    t->input = input;
    t->part.path = input->path;
    input->counts = (nytp_join_counts){0};
    if (j->redact && nytp_redact_learn(j->redact, input->path)) fail_for_memory(j);
    step(j, t);
}

/* The one whose next chunk is the earliest; of those that do not know the first. NULL: all are at their end. */
static turn *earliest(turn *turns, size_t n) {
    turn *first = NULL;
    for (size_t i = 0; i < n; i++)
        if (turns[i].more > 0 && (!first || turns[i].time < first->time)) first = &turns[i];
    return first;
}

/* ---- captures ---- */

static int is_text(const nytp_reader *r) { return nytp_reader_chunk(r)->stream.front_end == NYTP_FRONT_STORE; }

static void end_copy(nytp_join *j, int is_copied) {
    enum nytp_code code = is_copied ? nytp_redact_end(j->redact) : NYTP_OK;
    if (code) nytp_error_set(&j->error, code, code == NYTP_NOMEM ? "out of memory" : "writing the capture failed");
}

/* Returns 1 if its records are to be copied one by one. */
static int begin_chunk(nytp_join *j, nytp_reader *r, nytp_join_counts *counts) {
    if (is_text(r)) return 0;
    if (!j->redact) put_chunk(j, nytp_reader_chunk_bytes(r), counts);
    else if (is_new_chunk(j, nytp_reader_chunk_bytes(r), counts)) {
        nytp_redact_begin(j->redact, nytp_reader_chunk(r));
        return 1;
    }
    return 0;
}

static void note_damage(nytp_join_counts *counts, const nytp_record *r) {
    counts->damages++;
    counts->lost += r->u.damage.length;
}

/* A chunk is copied when its first record comes; a chunk with a right CRC and records that make no sense is copied as
 * it is, or, where some are left out, up to these. */
static void put_next_chunk(nytp_join *j, turn *t) {
    const nytp_record *r = &t->record;
    int is_begun = 0, is_copied = 0;
    for (uint64_t chunk = 0; t->more > 0 && !j->error.code; step(j, t)) {
        if (r->kind == NYTP_REC_DAMAGE) {
            note_damage(&t->input->counts, r);
            continue;
        }
        if (is_begun && r->chunk != chunk) break;
        if (!is_begun) is_copied = begin_chunk(j, t->input->reader, &t->input->counts);
        is_begun = 1;
        chunk = r->chunk;
        if (is_copied) nytp_redact_record(j->redact, r);
        note_source(j, &t->part, r);
    }
    end_copy(j, is_copied);
}

static void end_turn(nytp_join *j, turn *t, nytp_error *e) {
    if (t->more < 0) *e = *nytp_reader_error(t->input->reader);
    nytp_buf_bytes(&j->parts, &t->part, sizeof t->part);
    if (t->part.store.failed || j->parts.failed) fail_for_memory(j);
    if (j->parts.failed) nytp_buf_free(&t->part.store);
    nytp_map_free(&t->clocks);
    nytp_buf_free(&t->offsets);
}

enum nytp_code nytp_join_add(nytp_join *j, nytp_join_input *inputs, size_t n, nytp_error *e) {
    turn *turns = calloc(n, sizeof *turns), *t;
    if (!turns) return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    for (size_t i = 0; i < n; i++) begin_turn(j, &turns[i], &inputs[i]);
    while (!j->error.code && (t = earliest(turns, n))) put_next_chunk(j, t);
    for (size_t i = 0; i < n; i++) end_turn(j, &turns[i], e);
    free(turns);
    if (!e->code) *e = j->error;
    return e->code;
}

static void forget_parts(nytp_join *j) {
    part *parts = (part *)(void *)j->parts.p;
    for (size_t i = 0; i < j->parts.n / sizeof *parts; i++) nytp_buf_free(&parts[i].store);
    nytp_buf_free(&j->parts);
}

enum nytp_code nytp_join_close(nytp_join *j, nytp_error *e) {
    if (!j) return NYTP_OK;
    nytp_redact_close(j->redact, &j->error);
    nytp_append_close(&j->out, &j->error);
    int code = j->error.code;
    if (code && e) *e = j->error;
    nytp_buf_free(&j->heads);
    nytp_table_free(&j->joined);
    nytp_map_free(&j->texts);
    forget_parts(j);
    free(j);
    return code;
}
