/* SPDX-License-Identifier: MIT */
/* slots.h - an area of a capture with two slots for drafts, chunks that a later chunk replaces (FORMAT, section 8).
 * Drafts are written over each other in turns, so that a process which is killed while it does so leaves the draft
 * before, and the file does not grow by them. */
#ifndef NYTP_CAPTURE_SLOTS_H
#define NYTP_CAPTURE_SLOTS_H

#include "base/buf.h"
#include "capture/format.h"
#include "capture/held.h"

/* A slot's lines, of ":a=" or ":b=" and base64. */
#define NYTP_SLOTS_LINE 512
#define NYTP_SLOTS_TEXT (NYTP_SLOTS_LINE - 4) /* characters of a line that are base64 ... */
#define NYTP_SLOTS_BYTES (NYTP_SLOTS_TEXT / 4 * 3) /* ... and the bytes that they stand for */
#define NYTP_SLOTS_HEAD "NYTProf capture drafts" /* how an area's first line begins */

typedef struct nytp_area {
    char first[80];   /* its first line, by which it is found */
    uint64_t from;    /* it is behind this offset, ... */
    uint64_t at;      /* ... at this one; 0: not known yet */
    uint32_t lines;   /* of a slot; 0: there is no area */
    uint32_t next;    /* the slot to be overwritten: 0 or 1 */
} nytp_area;

typedef struct nytp_slots {
    nytp_held file;   /* the capture, open for overwriting; none: there are no drafts */
    nytp_area area;   /* the one to write to, ... */
    nytp_area other;  /* ... and of a ring the one before, which is next */
    uint32_t areas;   /* of this stream, so far */
    nytp_buf text;
} nytp_slots;

/* For a capture that is open for appending. second: what others have of it for overwriting, where this process may no
 * longer open it; if they have none it is told what is opened here. NULL: there are no others. */
void nytp_slots_open(nytp_slots *s, const nytp_held *appended, nytp_held *second);

/* 1 if drafts can be written, now or with a larger area. */
static inline int nytp_slots_work(const nytp_slots *s) { return s->file.fd >= 0; }

/* 1 if a draft of n bytes has room in the area there is. */
static inline int nytp_slots_have_room(const nytp_slots *s, size_t n) {
    return n <= (size_t)s->area.lines * NYTP_SLOTS_BYTES;
}

/* Bytes of an area for drafts of n bytes and, as they grow, of twice as many. */
size_t nytp_slots_size(size_t n);

/* The largest n for which such an area takes no more bytes. */
size_t nytp_slots_fit(size_t size);

/* Puts such an area behind what is in block, which is appended to the capture next. */
void nytp_slots_reserve(nytp_slots *s, const nytp_stream_id *stream, size_t n, nytp_buf *block);

/* Writes a draft over the older one. 0 if there is no room for it, or the area is not found again; then there will be
 * no drafts. Keeps errno. */
int nytp_slots_write(nytp_slots *s, const void *p, size_t n);

/* Of a ring: later drafts go to the other area. What this one has stays until the next turn. */
void nytp_slots_turn(nytp_slots *s);

void nytp_slots_close(nytp_slots *s);

#endif
