/* SPDX-License-Identifier: MIT */
/* taken.h - how far a growing capture has been read: of each stream the windows that a profile was made of, so that the
 * next profile is made of those that came since.
 *
 * A draft is written over by a later draft or a chunk that has all of it, so its bytes are kept: the next profile is
 * made of what replaces it, less these. */
#ifndef NYTP_MODEL_TAKEN_H
#define NYTP_MODEL_TAKEN_H

#include "base/table.h"
#include "capture/chunk.h"

typedef struct nytp_taken_stream {
    nytp_stream_id id;
    int64_t until;          /* end of the latest window that is no draft, in the stream's ticks */
    int32_t has_until;
    int64_t begin, end;     /* of the draft's window */
    nytp_buf draft;         /* the chunk; empty: none */
} nytp_taken_stream;

typedef struct nytp_taken {
    nytp_buf streams; /* of nytp_taken_stream */
    nytp_table known; /* 1 + index there */
    int32_t failed;   /* 1: memory was short */
} nytp_taken; /* all zero: nothing */

/* What was taken of a stream; NULL: nothing. */
const nytp_taken_stream *nytp_taken_of(const nytp_taken *t, const nytp_stream_id *id);

/* 1 if a window is new: neither it nor a later state of it was taken. taken may be NULL, as nothing. */
int nytp_taken_is_new(const nytp_taken_stream *taken, const nytp_chunk_info *chunk);

/* 1 if a new window has all of the draft that was taken. */
int nytp_taken_is_replaced(const nytp_taken_stream *taken, const nytp_chunk_info *chunk);

/* Takes a window: a chunk with its head. An older one changes nothing. */
void nytp_taken_add(nytp_taken *t, const nytp_chunk_info *chunk, nytp_str bytes);

/* Takes what was taken before of a stream. */
void nytp_taken_keep(nytp_taken *t, const nytp_taken_stream *before);

void nytp_taken_free(nytp_taken *t); /* leaves nothing taken */

#endif
