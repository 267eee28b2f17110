/* SPDX-License-Identifier: MIT */
/* taken.c - which windows of each stream were taken. */
#include "model/taken.h"

static nytp_taken_stream *stream_at(const nytp_taken *t, uint32_t number) {
    return (nytp_taken_stream *)(void *)t->streams.p + number - 1;
}

static uint32_t count(const nytp_taken *t) { return (uint32_t)(t->streams.n / sizeof(nytp_taken_stream)); }

static int is_same_stream(const void *of, uint32_t number, const void *like) {
    return nytp_format_same_stream(&stream_at(of, number)->id, like);
}

const nytp_taken_stream *nytp_taken_of(const nytp_taken *t, const nytp_stream_id *id) {
    uint32_t number = nytp_table_get(&t->known, nytp_format_hash_stream(id), is_same_stream, t, id);
    return number ? stream_at(t, number) : NULL;
}

/* NULL when memory is short. */
static nytp_taken_stream *stream_of(nytp_taken *t, const nytp_stream_id *id) {
    uint32_t *number = nytp_table_at(&t->known, nytp_format_hash_stream(id), is_same_stream, t, id);
    if (number && !*number) {
        const nytp_taken_stream new = {.id = *id};
        nytp_buf_bytes(&t->streams, &new, sizeof new);
        *number = t->streams.failed ? 0 : count(t);
    }
    if (number && *number) return stream_at(t, *number);
    t->failed = 1;
    return NULL;
}

static int is_draft(const nytp_chunk_info *chunk) { return !chunk->number; }

int nytp_taken_is_new(const nytp_taken_stream *taken, const nytp_chunk_info *chunk) {
    if (!taken) return 1;
    if (taken->has_until && chunk->end <= taken->until) return 0;
    return !is_draft(chunk) || !taken->draft.n || chunk->end > taken->end;
}

int nytp_taken_is_replaced(const nytp_taken_stream *taken, const nytp_chunk_info *chunk) {
    return taken && taken->draft.n && chunk->start <= taken->begin && chunk->end >= taken->end;
}

static void set_draft(nytp_taken *t, nytp_taken_stream *s, int64_t begin, int64_t end, const void *p, size_t n) {
    if (s->draft.n && end <= s->end) return;
    nytp_buf_clear(&s->draft);
    nytp_buf_bytes(&s->draft, p, n);
    s->begin = begin;
    s->end = end;
    if (s->draft.failed) t->failed = 1;
}

static void set_until(nytp_taken_stream *s, int64_t until) {
    if (s->has_until && until <= s->until) return;
    s->until = until;
    s->has_until = 1;
    if (s->draft.n && until > s->begin) nytp_buf_free(&s->draft);
}

void nytp_taken_add(nytp_taken *t, const nytp_chunk_info *chunk, nytp_str bytes) {
    nytp_taken_stream *s = stream_of(t, &chunk->stream);
    if (!s) return;
    if (is_draft(chunk)) set_draft(t, s, chunk->start, chunk->end, bytes.p, bytes.n);
    else set_until(s, chunk->end);
}

void nytp_taken_keep(nytp_taken *t, const nytp_taken_stream *before) {
    nytp_taken_stream *s = stream_of(t, &before->id);
    if (!s) return;
    if (before->has_until) set_until(s, before->until);
    if (before->draft.n && !(s->has_until && s->until > before->begin))
        set_draft(t, s, before->begin, before->end, before->draft.p, before->draft.n);
}

void nytp_taken_free(nytp_taken *t) {
    for (uint32_t i = 1; i <= count(t); i++) nytp_buf_free(&stream_at(t, i)->draft);
    nytp_buf_free(&t->streams);
    nytp_table_free(&t->known);
    *t = (nytp_taken){0};
}
