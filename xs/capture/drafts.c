/* SPDX-License-Identifier: MIT */
/* drafts.c - of each stream the latest draft, unless a chunk has replaced it. */
#include "capture/drafts.h"

#include <string.h>

#include "base/base64.h"
#include "capture/slots.h"

typedef struct stream {
    nytp_stream_id id;
    nytp_buf draft;    /* a whole chunk; empty: none */
    int64_t start, end; /* of the draft */
    int64_t last;      /* end of the latest window that is no draft */
    int32_t has_last;
} stream;

static stream *stream_at(const nytp_drafts *d, uint32_t number) { return (stream *)(void *)d->streams.p + number - 1; }

static int is_same_stream(const void *of, uint32_t number, const void *like) {
    return nytp_format_same_stream(&stream_at(of, number)->id, like);
}

/* NULL when memory is short. */
static stream *stream_of(nytp_drafts *d, const nytp_stream_id *id) {
    uint32_t *number = nytp_table_at(&d->known, nytp_format_hash_stream(id), is_same_stream, d, id);
    if (number && !*number) {
        const stream new = {.id = *id};
        nytp_buf_bytes(&d->streams, &new, sizeof new);
        *number = d->streams.failed ? 0 : (uint32_t)(d->streams.n / sizeof new);
    }
    if (number && *number) return stream_at(d, *number);
    d->failed = 1;
    return NULL;
}

static void keep(nytp_drafts *d, stream *s, const nytp_chunk_info *c, const unsigned char *p) {
    if (s->draft.n && c->end <= s->end) return;
    nytp_buf_clear(&s->draft);
    nytp_buf_bytes(&s->draft, p, NYTP_FORMAT_CHUNK_HEAD + (size_t)c->stored);
    s->start = c->start;
    s->end = c->end;
    if (s->draft.failed) d->failed = 1;
}

/* Chunks of a store have windows that mean no time. */
int nytp_drafts_take(nytp_drafts *d, const nytp_chunk_info *c, const unsigned char *p) {
    int is_draft = !c->number, has_window = c->end > c->start;
    if (c->stream.front_end == NYTP_FRONT_STORE || (!is_draft && !has_window)) return 0;
    stream *s = stream_of(d, &c->stream);
    if (!s) return is_draft;
    if (is_draft) {
        keep(d, s, c, p);
    } else if (!s->has_last || c->end > s->last) {
        s->last = c->end;
        s->has_last = 1;
    }
    return is_draft;
}

/* ---- lines ---- */

/* The bytes of a chunk by its head; all bytes that there may be before the head is known. */
static size_t wanted(const nytp_buf *slot) {
    nytp_chunk_info c;
    if (slot->n < NYTP_FORMAT_CHUNK_HEAD) return NYTP_FORMAT_CHUNK_HEAD;
    if (memcmp(slot->p, NYTP_FORMAT_SYNC, sizeof NYTP_FORMAT_SYNC - 1) != 0) return 0;
    nytp_chunk_get(slot->p, &c);
    return c.raw > NYTP_FORMAT_CHUNK_MAX || c.stored > c.raw ? 0 : NYTP_FORMAT_CHUNK_HEAD + (size_t)c.stored;
}

void nytp_drafts_line(nytp_drafts *d, const unsigned char *line, size_t n) {
    if (n != NYTP_SLOTS_LINE || (line[1] != 'a' && line[1] != 'b') || line[2] != '=') return;
    nytp_buf *slot = d->slots + (line[1] == 'b');
    if (slot->n < wanted(slot)) nytp_base64_get(slot, (const char *)line + 3, NYTP_SLOTS_TEXT);
    if (slot->failed) d->failed = 1;
}

/* A slot that was being written when the process was killed does not verify; the other one does. */
static void take_slot(nytp_drafts *d, nytp_buf *slot) {
    nytp_chunk_info c;
    size_t n = wanted(slot);
    if (slot->n >= NYTP_FORMAT_CHUNK_HEAD && n && slot->n >= n) {
        nytp_chunk_get(slot->p, &c);
        int is_draft = !c.number && c.version == NYTP_FORMAT_VERSION;
        if (is_draft && nytp_chunk_crc(slot->p, n) == c.crc) nytp_drafts_take(d, &c, slot->p);
    }
    nytp_buf_clear(slot);
}

void nytp_drafts_lines_end(nytp_drafts *d) {
    for (int i = 0; i < 2; i++)
        if (d->slots[i].n) take_slot(d, d->slots + i);
}

/* ---- the end of the file ---- */

const unsigned char *nytp_drafts_next(nytp_drafts *d) {
    while (d->given < d->streams.n / sizeof(stream)) {
        const stream *s = stream_at(d, (uint32_t)++d->given);
        if (!s->draft.n || s->draft.failed || (s->has_last && s->last > s->start)) continue;
        return s->draft.p;
    }
    return NULL;
}

void nytp_drafts_free(nytp_drafts *d) {
    for (uint32_t i = 1; i <= d->streams.n / sizeof(stream); i++) nytp_buf_free(&stream_at(d, i)->draft);
    nytp_buf_free(&d->streams);
    nytp_buf_free(d->slots);
    nytp_buf_free(d->slots + 1);
    nytp_table_free(&d->known);
    *d = (nytp_drafts){0};
}
