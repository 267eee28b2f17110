/* SPDX-License-Identifier: MIT */
/* writer.c - makes a capture: text lines, then chunks of records.
 *
 * A record's fields gather in `fields` until the next record seals them behind its kind and length; consecutive records
 * of a kind that repeats share one such head. Sealed records gather in `payload` until the chunk is written. */
#include "capture/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/zio.h"
#include "capture/append.h"
#include "capture/chunk.h"
#include "capture/fields.h"
#include "capture/slots.h"

#define NO_RECORD NYTP_REC_DAMAGE /* never written */
#define HEAD_MAX 20               /* two varints: kind and length */
#define TOLD 8                    /* bytes that a record takes in a capture, on average */
#define GROUP_FULL (16u << 10)    /* bytes of records that share a head; they are copied when the group is complete */

struct nytp_writer {
    nytp_append out;
    nytp_writer_outlet outlet; /* takes the records instead of out, if set; then out is closed and nothing gathers */
    uint64_t told;       /* records of this chunk that the outlet took */
    nytp_stream_id stream;
    nytp_error error;
    uint64_t chunks;     /* written so far */
    int64_t last_end;    /* of the window before */
    int32_t level;       /* of zlib; 0 plain */
    uint32_t kind;       /* kind of the record that is gathering, or NO_RECORD */
    const nytp_row *row; /* row of kind */
    nytp_buf fields;     /* of the record, or the group of records, not yet sealed */
    uint64_t before[NYTP_FORMAT_FIELDS]; /* values of type d in the previous set of fields */
    nytp_buf payload;    /* sealed records ... */
    nytp_buf sources;    /* ... and those of source, if it gets a chunk of its own */
    int32_t sources_last; /* 1: it does (nytp_writer_sources_last) */
    int32_t is_cut;      /* 1: there was no room for some source */
    nytp_buf block;      /* bytes of the next write: text, then the chunk */
    nytp_slots slots;    /* for drafts */
    int32_t is_ring;     /* 1: all windows are drafts */
    size_t draft_n;      /* of a draft that found no slot large enough; 0: none */
    uint64_t limit, area; /* of the file's size, and for drafts; 0: none */
    nytp_buf kept;       /* records of chunks beyond it, which drafts begin with */
    nytp_buf deflated;
};

/* ---- records ---- */

static void free_buffers(nytp_writer *w) {
    nytp_buf_free(&w->fields);
    nytp_buf_free(&w->payload);
    nytp_buf_free(&w->sources);
    nytp_buf_free(&w->block);
    nytp_buf_free(&w->deflated);
    nytp_buf_free(&w->kept);
}

/* From now on appending does nothing and holds no memory. */
static enum nytp_code stop(nytp_writer *w) {
    free_buffers(w);
    w->fields.failed = w->payload.failed = w->sources.failed = w->block.failed = w->kept.failed = 1;
    w->kind = NO_RECORD;
    w->told = 0;
    return w->error.code;
}

/* A record that readers would refuse is left out, with a note. */
static void note_too_large(nytp_writer *w) {
    char text[120];
    snprintf(text, sizeof text, "A record (%s, %zu bytes) was too large for the capture and is missing.",
             w->row->name, w->fields.n);
    nytp_buf_clear(&w->fields);
    nytp_buf_str(&w->fields, nytp_str_c(text));
    w->kind = NYTP_REC_NOTE;
}

static enum nytp_code write_chunk(nytp_writer *w, int64_t start, int64_t end);

/* Closes the record that is gathering. Callers end their chunks long before the limit; where one does not, the chunk is
 * closed here, with an empty window. */
static void seal(nytp_writer *w) {
    const size_t limit = NYTP_FORMAT_CHUNK_MAX - HEAD_MAX;
    nytp_buf *to = w->sources_last && w->kind == NYTP_REC_SOURCE ? &w->sources : &w->payload;
    if (w->kind == NO_RECORD) return;
    if (w->fields.failed) to->failed = 1;
    if (w->fields.n > limit) note_too_large(w);
    if (to->n + w->fields.n > limit) write_chunk(w, w->last_end, w->last_end);
    if (w->error.code || w->kind == NO_RECORD) return; /* a note about the chunk has sealed it */
    nytp_buf_u(to, w->kind);
    nytp_buf_str(to, (nytp_str){(const char *)w->fields.p, w->fields.n});
    nytp_buf_clear(&w->fields);
    w->kind = NO_RECORD;
}

/* Begins a record of that kind, unless the kind repeats and its last record is still gathering. */
static void begin(nytp_writer *w, uint32_t kind) {
    if (w->kind == kind && w->row->repeats && w->fields.n <= GROUP_FULL) return;
    seal(w);
    if (w->error.code) return;
    w->kind = kind;
    w->row = nytp_format_row(kind);
    if (w->row->repeats) memset(w->before, 0, sizeof w->before);
}

static void tell(nytp_writer *w, const nytp_record *r) {
    w->told++;
    w->outlet.write(w->outlet.self, r, &w->error);
    if (w->error.code) stop(w);
}

void nytp_writer_put(nytp_writer *w, const nytp_record *r) {
    if (w->error.code) return;
    if (w->outlet.write) {
        tell(w, r);
    } else {
        begin(w, r->kind);
        nytp_fields_put(&w->fields, w->row, &r->u, w->before);
    }
}

void nytp_writer_end(nytp_writer *w, uint64_t how) {
    if (w->sources.n) nytp_writer_chunk(w, w->last_end, w->last_end);
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_END, .u.end = {how, w->chunks + 1}});
}

size_t nytp_writer_pending(const nytp_writer *w) { return w->payload.n + w->sources.n + w->fields.n + w->told * TOLD; }

/* ---- text ---- */

void nytp_writer_text(nytp_writer *w, nytp_str key, nytp_str value) {
    const size_t half = NYTP_FORMAT_LINE_MAX / 2 - 2; /* of a line, less its `:`, `=` and newline */
    if (w->chunks) return;
    nytp_buf_byte(&w->block, ':');
    nytp_buf_escaped(&w->block, key, half);
    nytp_buf_byte(&w->block, '=');
    nytp_buf_escaped(&w->block, value, half);
    nytp_buf_byte(&w->block, '\n');
}

/* ---- chunks ---- */

/* Puts sealed records, if any, behind the text in block. */
static enum nytp_code pack(nytp_writer *w, const nytp_buf *records, uint64_t number, int64_t start, int64_t end) {
    int level = number || w->level || !nytp_zio_available() ? w->level : 1; /* a draft is to fit into its slot */
    nytp_chunk_info c = {.stream = w->stream, .number = number, .start = start, .end = end};
    int has_records = records->n > 0 || records->failed;
    enum nytp_code code = has_records ? nytp_chunk_pack(&w->block, &c, records, level, &w->deflated) : NYTP_OK;
    return !code && w->block.failed ? NYTP_NOMEM : code;
}

/* With a limit the area for drafts is part of the room before it is there; that of the first writer, of half, may not
 * be there while the file is smaller. */
static uint64_t room(const nytp_writer *w) {
    int has_area = w->slots.area.lines || !nytp_writer_drafts(w);
    uint64_t file = w->limit ? nytp_append_size(&w->out) : 0, taken = file + (has_area ? 0 : w->area);
    uint64_t limit = w->area < w->limit / 2 && file <= w->limit / 2 ? w->limit / 2 : w->limit;
    uint64_t own = !w->limit ? UINT64_MAX : limit > taken ? limit - taken : 0, all = nytp_append_room(&w->out, 0, 1);
    return own < all ? own : all;
}

uint64_t nytp_writer_room(const nytp_writer *w, int on_disk) {
    uint64_t taken = w->out.waiting.n + w->block.n + w->payload.n + w->fields.n;
    return w->outlet.write ? UINT64_MAX : nytp_append_room(&w->out, taken, on_disk);
}

int nytp_writer_is_tight(const nytp_writer *w, size_t more) {
    return w->limit && nytp_writer_drafts(w) && (w->kept.n || more + NYTP_FORMAT_CHUNK_HEAD > room(w));
}

static void note_cut(nytp_writer *w) {
    if (w->is_cut) return;
    w->is_cut = 1;
    nytp_writer_note(w, NYTP_LIT("Source is missing: there was little room where the profile was written."));
}

/* Source may take half of the room that is left, as counts are worth more. */
static enum nytp_code write_sources(nytp_writer *w, int64_t end) {
    nytp_buf_clear(&w->block);
    int has_any = w->sources.n || w->sources.failed;
    enum nytp_code code = has_any ? pack(w, &w->sources, w->chunks + 1, end, end) : NYTP_OK;
    if (code || !w->block.n) return code;
    if (w->block.n <= room(w) / 2) {
        nytp_append_write(&w->out, w->block.p, w->block.n, &w->error);
        w->chunks++;
    } else {
        nytp_buf_clear(&w->payload);
        note_cut(w);
    }
    return NYTP_OK;
}

/* Has an area for drafts of n bytes follow in `block`, if that leaves most of the room for chunks. A ring has nothing
 * else to write, and waits for room. */
static void reserve(nytp_writer *w, size_t n, nytp_buf *block) {
    uint64_t most = nytp_append_room(&w->out, 0, 1) / (w->is_ring ? 2 : 8);
    if (nytp_slots_size(n) < most) nytp_slots_reserve(&w->slots, &w->stream, n, block);
    else if (w->is_ring) nytp_append_lacks_room(&w->out);
    else nytp_slots_close(&w->slots);
}

static enum nytp_code add_to_kept(nytp_writer *w) {
    nytp_buf_bytes(&w->kept, w->payload.p, w->payload.n);
    return w->kept.failed || w->payload.failed ? NYTP_NOMEM : NYTP_OK;
}

/* Beyond the limit definitions wait for a draft; those that come later do so too, as they need the earlier ones. */
static enum nytp_code keep(nytp_writer *w) {
    enum nytp_code code = add_to_kept(w);
    nytp_buf_clear(&w->payload);
    if (code || !w->sources.n) return code;
    note_cut(w);
    seal(w);
    code = add_to_kept(w);
    nytp_buf_clear(&w->payload);
    return code;
}

/* Where there is no draft for them, the next chunk begins with the definitions. */
static enum nytp_code give_kept(nytp_writer *w) {
    enum nytp_code code = add_to_kept(w);
    nytp_buf all = w->kept;
    w->kept = w->payload;
    w->payload = all;
    nytp_buf_clear(&w->kept);
    return code;
}

static int is_too_large(const nytp_writer *w) {
    return w->limit && (w->block.n > room(w) || w->payload.n > NYTP_FORMAT_CHUNK_MAX);
}

/* Writes text and sealed records. */
static enum nytp_code write_own(nytp_writer *w, int64_t start, int64_t end) {
    int may_keep = end <= start && nytp_writer_drafts(w);
    if (may_keep && w->kept.n) return keep(w);
    enum nytp_code code = w->kept.n ? give_kept(w) : NYTP_OK;
    if (!code) code = pack(w, &w->payload, w->chunks + 1, start, end);
    if (!code && is_too_large(w)) {
        if (may_keep) return keep(w);
        return nytp_error_set(&w->error, NYTP_IO, "writing the capture: it has as many bytes as maxsize allows");
    }
    if (!code && w->draft_n) reserve(w, w->draft_n, &w->block);
    w->draft_n = 0;
    if (!code && w->block.n) nytp_append_write(&w->out, w->block.p, w->block.n, &w->error);
    w->chunks += w->payload.n > 0;
    nytp_buf_clear(&w->payload);
    return code || w->error.code ? code : write_sources(w, end);
}

static enum nytp_code flush_outlet(nytp_writer *w) {
    if (w->told) w->outlet.flush(w->outlet.self, &w->error);
    w->chunks += w->told > 0;
    return NYTP_OK;
}

static enum nytp_code write_chunk(nytp_writer *w, int64_t start, int64_t end) {
    enum nytp_code code = w->outlet.write ? flush_outlet(w) : write_own(w, start, end);
    if (code) nytp_error_set(&w->error, code, "writing the capture: out of memory");
    if (w->error.code) return stop(w);
    nytp_buf_clear(&w->sources);
    nytp_buf_clear(&w->block);
    w->told = 0;
    w->last_end = end;
    return NYTP_OK;
}

enum nytp_code nytp_writer_chunk(nytp_writer *w, int64_t start, int64_t end) {
    seal(w);
    return w->error.code ? w->error.code : write_chunk(w, start, end);
}

/* ---- drafts ---- */

/* A draft is read behind all chunks before it. */
int nytp_writer_drafts(const nytp_writer *w) { return nytp_slots_work(&w->slots) && !w->out.why.code; }

static void reserve_now(nytp_writer *w, size_t n) {
    nytp_buf_clear(&w->deflated);
    reserve(w, n, &w->deflated);
    if (w->deflated.n) nytp_append_write(&w->out, w->deflated.p, w->deflated.n, &w->error);
}

/* With a limit there is one area; no draft follows if the first is larger than a slot. */
static void reserve_part(nytp_writer *w) {
    size_t n = nytp_slots_fit(w->area);
    if (w->block.n <= 2 * n && (w->area == w->limit / 2 || room(w))) reserve_now(w, n);
    else nytp_slots_close(&w->slots);
}

/* Writes block, unless there is no room: with a limit it is that of a chunk, else there is to be a larger slot. */
static int write_draft(nytp_writer *w) {
    if (w->limit && !w->slots.area.lines) reserve_part(w);
    if (w->is_ring && !nytp_slots_have_room(&w->slots, w->block.n)) reserve_now(w, w->block.n);
    if (w->error.code || !nytp_writer_drafts(w)) return 0;
    int is_written = nytp_slots_write(&w->slots, w->block.p, w->block.n);
    if (!is_written && !w->limit && !w->is_ring && nytp_writer_drafts(w)) w->draft_n = w->block.n;
    return is_written;
}

int nytp_writer_draft(nytp_writer *w, int64_t start, int64_t end) {
    int is_written = 0;
    seal(w);
    if (w->is_ring) nytp_append_again(&w->out);
    if (!w->error.code && !w->block.n && nytp_writer_drafts(w)) {
        size_t kept = w->kept.n;
        int is_small = !add_to_kept(w) && w->kept.n <= NYTP_FORMAT_CHUNK_MAX;
        is_written = is_small && !pack(w, &w->kept, 0, start, end) && write_draft(w);
        w->kept.n = kept;
        nytp_buf_clear(&w->block);
    }
    if (is_written || w->is_ring) nytp_buf_clear(&w->payload);
    return is_written;
}

uint64_t nytp_writer_bytes(const nytp_writer *w) { return w->out.size + w->out.waiting.n; }

/* ---- the handle ---- */

static enum nytp_code release(nytp_writer *w, nytp_error *e) {
    nytp_append_close(&w->out, &w->error);
    nytp_slots_close(&w->slots);
    if (w->outlet.close) w->outlet.close(w->outlet.self, &w->error);
    enum nytp_code code = w->error.code;
    if (e) *e = w->error;
    free_buffers(w);
    free(w);
    return code;
}

nytp_writer *nytp_writer_open(int fd, const nytp_stream_id *stream, int level) {
    int saved = errno;
    nytp_writer *w = calloc(1, sizeof *w);
    errno = saved;
    if (!w) return NULL;
    nytp_append_open(&w->out, fd);
    w->slots.file = (nytp_held)NYTP_HELD_NONE;
    w->stream = *stream;
    w->level = nytp_zio_available() ? level : 0;
    nytp_buf_bytes(&w->block, NYTP_FORMAT_FIRST_LINE, sizeof NYTP_FORMAT_FIRST_LINE - 1);
    if (level < -1 || level > 9) {
        nytp_error_set(&w->error, NYTP_USAGE, "compression level %d is not between -1 and 9", level);
        stop(w);
    }
    return w;
}

void nytp_writer_shares(nytp_writer *w) { w->out.can_cut = 0; }

void nytp_writer_may_wait(nytp_writer *w) { w->out.waits = 1; }

const nytp_error *nytp_writer_waits(const nytp_writer *w) { return &w->out.why; }

void nytp_writer_limit(nytp_writer *w, uint64_t bytes, uint32_t part) {
    w->limit = bytes;
    w->area = bytes / part;
}

void nytp_writer_have_drafts(nytp_writer *w, int is_ring, nytp_held *second) {
    nytp_slots_open(&w->slots, &w->out.file, second);
    w->is_ring = is_ring;
}

void nytp_writer_turn(nytp_writer *w) { nytp_slots_turn(&w->slots); }

void nytp_writer_copies(nytp_writer *w, const nytp_stream_id *stream, uint64_t number) {
    nytp_buf_clear(&w->block);
    w->stream = *stream;
    w->chunks = number - 1;
}

void nytp_writer_sources_last(nytp_writer *w) { w->sources_last = 1; }

int nytp_writer_duplicate(nytp_writer *w, int overwrites) {
    int saved = errno, fd = nytp_held_duplicate(overwrites ? &w->slots.file : &w->out.file);
    errno = saved;
    return fd;
}

nytp_writer *nytp_writer_open_outlet(const nytp_writer_outlet *outlet, const nytp_stream_id *stream) {
    nytp_writer *w = nytp_writer_open(-1, stream, 0);
    if (w) w->outlet = *outlet;
    return w;
}

const nytp_error *nytp_writer_error(const nytp_writer *w) { return &w->error; }

enum nytp_code nytp_writer_finish(nytp_writer *w, nytp_error *e) {
    if (!w) return NYTP_OK;
    nytp_writer_chunk(w, w->last_end, w->last_end);
    nytp_append_rest(&w->out, &w->error);
    return release(w, e);
}

void nytp_writer_abandon(nytp_writer *w) {
    if (w) release(w, NULL);
}
