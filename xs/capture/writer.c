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

#define NO_RECORD NYTP_REC_DAMAGE /* never written */
#define HEAD_MAX 20               /* two varints: kind and length */
#define GROUP_FULL (64u << 10)    /* of records that share a head; they are copied when it is complete */

struct nytp_writer {
    nytp_append out;
    nytp_writer_outlet outlet; /* or who takes the payloads; then out is closed */
    nytp_stream_id stream;
    nytp_error error;
    uint64_t chunks;     /* written so far */
    int64_t last_end;    /* of the window before */
    int32_t level;       /* of zlib; 0 plain */
    uint32_t kind;       /* whose fields are gathering, or NO_RECORD */
    nytp_buf fields;     /* of the record, or the group of records, not yet sealed */
    uint64_t before[NYTP_FORMAT_FIELDS]; /* those of type d of the set of fields before */
    nytp_buf payload;    /* sealed records */
    nytp_buf block;      /* what goes into the next write: text first, then the chunk */
    nytp_buf deflated;
};

/* ---- records ---- */

static void free_buffers(nytp_writer *w) {
    nytp_buf_free(&w->fields);
    nytp_buf_free(&w->payload);
    nytp_buf_free(&w->block);
    nytp_buf_free(&w->deflated);
}

/* From now on appending does nothing and holds no memory. */
static int stop(nytp_writer *w) {
    free_buffers(w);
    w->fields.failed = w->payload.failed = w->block.failed = 1;
    w->kind = NO_RECORD;
    return w->error.code;
}

/* What no reader would accept is left out, but never silently. */
static void note_too_large(nytp_writer *w) {
    char text[120];

    snprintf(text, sizeof text, "A record (%s, %zu bytes) was too large for the capture and is missing.",
             nytp_format_row(w->kind)->name, w->fields.n);
    nytp_buf_clear(&w->fields);
    nytp_buf_str(&w->fields, nytp_str_c(text));
    w->kind = NYTP_REC_NOTE;
}

static int write_chunk(nytp_writer *w, int64_t start, int64_t end);

/* Closes the record that is gathering. Callers end their chunks long before the limit is near; should one not, the
 * chunk is closed for it, with an empty window. */
static void seal(nytp_writer *w) {
    const size_t limit = NYTP_FORMAT_CHUNK_MAX - HEAD_MAX;

    if (w->kind == NO_RECORD) return;
    if (w->fields.failed) w->payload.failed = 1;
    if (w->fields.n > limit) note_too_large(w);
    if (w->payload.n + w->fields.n > limit) write_chunk(w, w->last_end, w->last_end);
    if (w->error.code) return;
    nytp_buf_u(&w->payload, w->kind);
    nytp_buf_str(&w->payload, (nytp_str){(const char *)w->fields.p, w->fields.n});
    nytp_buf_clear(&w->fields);
    w->kind = NO_RECORD;
}

/* Where the fields of a new record go. */
static nytp_buf *begin(nytp_writer *w, uint32_t kind) {
    if (w->error.code) return &w->fields;
    if (w->kind != kind || !nytp_format_row(kind)->repeats || w->fields.n > GROUP_FULL) seal(w);
    if (!w->error.code) w->kind = kind;
    return &w->fields;
}

/* By the table: records of which a window has few, and those of options that cost far more (memory, calls=2).
 * Definitions and deltas, of which a large program has many thousands, are written field by field below. */
static void put(nytp_writer *w, enum nytp_kind kind, const void *record) {
    nytp_buf *b = begin(w, kind);
    for (const nytp_field *f = nytp_format_row(kind)->fields; f->name; f++) {
        const void *at = (const char *)record + f->offset;
        if (f->type == 'u') nytp_buf_u(b, *(const uint64_t *)at);
        else if (f->type == 'i') nytp_buf_i(b, *(const int64_t *)at);
        else nytp_buf_str(b, *(const nytp_str *)at);
    }
}

void nytp_writer_process_start(nytp_writer *w, const nytp_rec_process_start *r) { put(w, NYTP_REC_PROCESS_START, r); }
void nytp_writer_process_end(nytp_writer *w, const nytp_rec_process_end *r) { put(w, NYTP_REC_PROCESS_END, r); }
void nytp_writer_window(nytp_writer *w, const nytp_rec_window *r) { put(w, NYTP_REC_WINDOW, r); }
void nytp_writer_cost(nytp_writer *w, const nytp_rec_cost *r) { put(w, NYTP_REC_COST, r); }
void nytp_writer_price(nytp_writer *w, const nytp_rec_price *r) { put(w, NYTP_REC_PRICE, r); }
void nytp_writer_text_of(nytp_writer *w, const nytp_rec_text *r) { put(w, NYTP_REC_TEXT, r); }
void nytp_writer_stored(nytp_writer *w, const nytp_rec_stored *r) { put(w, NYTP_REC_STORED, r); }
void nytp_writer_call_entry(nytp_writer *w, const nytp_rec_call_entry *r) { put(w, NYTP_REC_CALL_ENTRY, r); }
void nytp_writer_call_return(nytp_writer *w, const nytp_rec_call_return *r) { put(w, NYTP_REC_CALL_RETURN, r); }
void nytp_writer_sample(nytp_writer *w, const nytp_rec_sample *r) { put(w, NYTP_REC_SAMPLE, r); }
void nytp_writer_counter(nytp_writer *w, const nytp_rec_counter *r) { put(w, NYTP_REC_COUNTER, r); }
void nytp_writer_counter_value(nytp_writer *w, const nytp_rec_counter_value *r) { put(w, NYTP_REC_COUNTER_VALUE, r); }
void nytp_writer_mark(nytp_writer *w, const nytp_rec_mark *r) { put(w, NYTP_REC_MARK, r); }
void nytp_writer_histogram(nytp_writer *w, const nytp_rec_histogram *r) { put(w, NYTP_REC_HISTOGRAM, r); }
void nytp_writer_place_memory(nytp_writer *w, const nytp_rec_memory *r) { put(w, NYTP_REC_PLACE_MEMORY, r); }
void nytp_writer_node_memory(nytp_writer *w, const nytp_rec_memory *r) { put(w, NYTP_REC_NODE_MEMORY, r); }

static void put_pair(nytp_buf *b, nytp_str key, nytp_str value) {
    nytp_buf_str(b, key);
    nytp_buf_str(b, value);
}

void nytp_writer_attribute(nytp_writer *w, nytp_str key, nytp_str value) {
    put_pair(begin(w, NYTP_REC_ATTRIBUTE), key, value);
}

void nytp_writer_option(nytp_writer *w, nytp_str key, nytp_str value) {
    put_pair(begin(w, NYTP_REC_OPTION), key, value);
}

void nytp_writer_property(nytp_writer *w, nytp_str key, nytp_str value) {
    put_pair(begin(w, NYTP_REC_PROPERTY), key, value);
}

void nytp_writer_note(nytp_writer *w, nytp_str text) {
    nytp_buf_str(begin(w, NYTP_REC_NOTE), text);
}

void nytp_writer_file(nytp_writer *w, const nytp_rec_file *r) {
    nytp_buf *b = begin(w, NYTP_REC_FILE);
    nytp_buf_u(b, r->id);
    nytp_buf_u(b, r->flags);
    nytp_buf_u(b, r->parent);
    nytp_buf_u(b, r->parent_line);
    nytp_buf_u(b, r->size);
    nytp_buf_u(b, r->mtime);
    nytp_buf_str(b, r->name);
}

void nytp_writer_source(nytp_writer *w, const nytp_rec_source *r) {
    nytp_buf *b = begin(w, NYTP_REC_SOURCE);
    nytp_buf_u(b, r->file);
    nytp_buf_u(b, r->first_line);
    nytp_buf_str(b, r->text);
}

void nytp_writer_carried(nytp_writer *w, const nytp_rec_carried *r) {
    nytp_buf *b = begin(w, NYTP_REC_CARRIED);
    nytp_buf_u(b, r->file);
    nytp_buf_u(b, r->line);
    nytp_buf_u(b, r->carrier);
}

void nytp_writer_sub(nytp_writer *w, const nytp_rec_sub *r) {
    nytp_buf *b = begin(w, NYTP_REC_SUB);
    nytp_buf_u(b, r->id);
    nytp_buf_u(b, r->flags);
    nytp_buf_u(b, r->file);
    nytp_buf_u(b, r->first_line);
    nytp_buf_u(b, r->last_line);
    nytp_buf_u(b, r->ordinal);
    nytp_buf_str(b, r->name);
    nytp_buf_str(b, r->alias);
}

/* Of type d. */
static void put_step(nytp_writer *w, int field, uint64_t value) {
    nytp_buf_i(&w->fields, (int64_t)(value - w->before[field]));
    w->before[field] = value;
}

/* Where the fields of a record go that begins with an id of type d. */
static nytp_buf *begin_steps(nytp_writer *w, uint32_t kind, uint64_t id) {
    nytp_buf *b = begin(w, kind);
    if (!b->n) memset(w->before, 0, sizeof w->before);
    put_step(w, 0, id);
    return b;
}

void nytp_writer_place(nytp_writer *w, const nytp_rec_place *r) {
    begin_steps(w, NYTP_REC_PLACE, r->id);
    put_step(w, 1, r->file);
    put_step(w, 2, r->line);
    put_step(w, 3, r->block_line);
    put_step(w, 4, r->sub_line);
}

void nytp_writer_node(nytp_writer *w, const nytp_rec_node *r) {
    begin_steps(w, NYTP_REC_NODE, r->id);
    put_step(w, 1, r->parent);
    put_step(w, 2, r->place);
    put_step(w, 3, r->sub);
}

void nytp_writer_tail(nytp_writer *w, uint64_t node) { nytp_buf_u(begin(w, NYTP_REC_TAIL), node); }

void nytp_writer_place_delta(nytp_writer *w, const nytp_rec_delta *r) {
    nytp_buf *b = begin_steps(w, NYTP_REC_PLACE_DELTA, r->id);
    nytp_buf_i(b, r->count);
    nytp_buf_i(b, r->ticks);
    for (int event = NYTP_EVENT_SWITCH; event <= NYTP_EVENT_LEAF_ENTER; event++) nytp_buf_i(b, r->events[event]);
}

void nytp_writer_node_delta(nytp_writer *w, const nytp_rec_delta *r) {
    nytp_buf *b = begin_steps(w, NYTP_REC_NODE_DELTA, r->id);
    nytp_buf_i(b, r->count);
    nytp_buf_i(b, r->ticks);
    for (int event = 0; event < NYTP_EVENTS; event++) nytp_buf_i(b, r->events[event]);
}

void nytp_writer_end(nytp_writer *w, uint64_t how) {
    nytp_buf *b = begin(w, NYTP_REC_END);
    nytp_buf_u(b, how);
    nytp_buf_u(b, w->chunks + 1);
}

size_t nytp_writer_pending(const nytp_writer *w) { return w->payload.n + w->fields.n; }

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

/* Text and sealed records. */
static int write_own(nytp_writer *w, int64_t start, int64_t end) {
    nytp_chunk_info c = {.stream = w->stream, .number = w->chunks + 1, .start = start, .end = end};
    int has_records = w->payload.n > 0 || w->payload.failed;
    int code = has_records ? nytp_chunk_pack(&w->block, &c, &w->payload, w->level, &w->deflated) : NYTP_OK;

    if (!code && w->block.failed) code = NYTP_NOMEM;
    if (!code && w->block.n) nytp_append_write(&w->out, w->block.p, w->block.n, &w->error);
    return code;
}

static int write_chunk(nytp_writer *w, int64_t start, int64_t end) {
    int has_records = w->payload.n > 0;
    int code = w->outlet.write ? w->outlet.write(w->outlet.self, &w->payload, &w->error) : write_own(w, start, end);

    if (code) nytp_error_set(&w->error, code, "writing the capture: out of memory");
    if (w->error.code) return stop(w);
    nytp_buf_clear(&w->payload);
    nytp_buf_clear(&w->block);
    w->chunks += (uint64_t)has_records;
    w->last_end = end;
    return NYTP_OK;
}

int nytp_writer_chunk(nytp_writer *w, int64_t start, int64_t end) {
    seal(w);
    return w->error.code ? w->error.code : write_chunk(w, start, end);
}

/* ---- the handle ---- */

static int release(nytp_writer *w) {
    int code;

    nytp_append_close(&w->out, &w->error);
    if (w->outlet.close) w->outlet.close(w->outlet.self, &w->error);
    code = w->error.code;
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

nytp_writer *nytp_writer_open_outlet(const nytp_writer_outlet *outlet, const nytp_stream_id *stream) {
    nytp_writer *w = nytp_writer_open(-1, stream, 0);

    if (w) w->outlet = *outlet;
    return w;
}

const nytp_error *nytp_writer_error(const nytp_writer *w) {
    return &w->error;
}

int nytp_writer_close(nytp_writer *w) {
    if (!w) return NYTP_OK;
    nytp_writer_chunk(w, w->last_end, w->last_end);
    return release(w);
}

void nytp_writer_abandon(nytp_writer *w) {
    if (w) release(w);
}
