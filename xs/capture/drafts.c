/* SPDX-License-Identifier: MIT */
/* drafts.c - of each stream the latest draft, and the latest that begins before that, unless a chunk has replaced
 * them. */
#include "capture/drafts.h"

#include <string.h>

#include "base/base64.h"
#include "capture/slots.h"

typedef struct half { /* of a ring, or the only one */
    nytp_buf draft;    /* a whole chunk; empty: none */
    int64_t start, end; /* of the draft */
} half;

typedef struct stream {
    nytp_stream_id id;
    half halves[2];    /* the later one is the second */
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

/* NULL: both halves are later ones. */
static half *half_from(stream *s, int64_t start) {
    half *earlier = s->halves, *later = s->halves + 1;
    if (!later->draft.n || start == later->start) return later;
    if (start < later->start) return !earlier->draft.n || start >= earlier->start ? earlier : NULL;
    half oldest = *earlier;
    *earlier = *later;
    *later = oldest;
    nytp_buf_clear(&later->draft);
    return later;
}

static void keep(nytp_drafts *d, stream *s, const nytp_chunk_info *c, const unsigned char *p) {
    half *h = half_from(s, c->start);
    if (!h || (h->draft.n && h->start == c->start && c->end <= h->end)) return;
    nytp_buf_clear(&h->draft);
    nytp_buf_bytes(&h->draft, p, NYTP_FORMAT_CHUNK_HEAD + (size_t)c->stored);
    h->start = c->start;
    h->end = c->end;
    if (h->draft.failed) d->failed = 1;
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

/* Of two drafts that overlap the earlier one is of a stream that is no ring. */
static int counts(const stream *s, int number) {
    const half *h = s->halves + number, *later = s->halves + 1;
    int is_replaced = (s->has_last && s->last > h->start) || (h != later && later->draft.n && h->end > later->start);
    return h->draft.n && !h->draft.failed && !is_replaced;
}

const unsigned char *nytp_drafts_next(nytp_drafts *d) {
    while (d->given < d->streams.n / sizeof(stream) * 2) {
        const stream *s = stream_at(d, (uint32_t)(d->given / 2) + 1);
        int number = (int)(d->given++ % 2);
        if (counts(s, number)) return s->halves[number].draft.p;
    }
    return NULL;
}

void nytp_drafts_free(nytp_drafts *d) {
    for (uint32_t i = 1; i <= d->streams.n / sizeof(stream); i++) {
        nytp_buf_free(&stream_at(d, i)->halves[0].draft);
        nytp_buf_free(&stream_at(d, i)->halves[1].draft);
    }
    nytp_buf_free(&d->streams);
    nytp_buf_free(d->slots);
    nytp_buf_free(d->slots + 1);
    nytp_table_free(&d->known);
    *d = (nytp_drafts){0};
}
