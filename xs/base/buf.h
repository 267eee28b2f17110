/* SPDX-License-Identifier: MIT */
/* buf.h - a growing byte buffer to write into, and a cursor to read with: the primitives of the capture format.
 *
 * Varints are LEB128: seven bits a byte, lowest first, the top bit says that more follow. Signed numbers are
 * zigzag-coded first. Both ends are sticky: a buffer that could not grow and a cursor that ran off its end or met a
 * varint of more than 64 bits stay `failed` and ignore further calls. */
#ifndef NYTP_BASE_BUF_H
#define NYTP_BASE_BUF_H

#include <string.h>

#include "base/str.h"

typedef struct nytp_buf {
    unsigned char *p; /* owned; valid until the next call that appends */
    size_t n, cap;
    int32_t failed;
} nytp_buf; /* all zero is an empty buffer */

unsigned char *nytp_buf_more(nytp_buf *b, size_t n); /* the slow path of nytp_buf_room */

/* n writable bytes at the end, not yet counted in b->n; NULL if failed. */
static inline unsigned char *nytp_buf_room(nytp_buf *b, size_t n) {
    return b->p && !b->failed && n <= b->cap - b->n ? b->p + b->n : nytp_buf_more(b, n);
}

/* Inline where there is room, which is nearly always: a report consists of a million such pieces. */
void nytp_buf_append(nytp_buf *b, const void *p, size_t n); /* the slow path of nytp_buf_bytes */

static inline void nytp_buf_bytes(nytp_buf *b, const void *p, size_t n) {
    if (p && b->p && !b->failed && n <= b->cap - b->n) {
        memcpy(b->p + b->n, p, n);
        b->n += n;
    } else nytp_buf_append(b, p, n);
}

static inline void nytp_buf_byte(nytp_buf *b, unsigned char c) {
    nytp_buf_bytes(b, &c, 1);
}

#define NYTP_BUF_VARINT 10 /* bytes of the longest varint: ceil(64 / 7) */

/* Writes a varint; there must be room for the longest. Returns its end. */
static inline unsigned char *nytp_buf_varint(unsigned char *to, uint64_t v) {
    for (; v >= 0x80; v >>= 7) *to++ = (unsigned char)(v | 0x80);
    *to++ = (unsigned char)v;
    return to;
}

static inline uint64_t nytp_buf_zigzag(int64_t v) {
    uint64_t bits = (uint64_t)v << 1;
    return v < 0 ? ~bits : bits;
}

void nytp_buf_long(nytp_buf *b, uint64_t v);    /* the slow path of nytp_buf_u */

/* Appends a varint. Most take one byte. */
static inline void nytp_buf_u(nytp_buf *b, uint64_t v) {
    if (v < 0x80) nytp_buf_byte(b, (unsigned char)v);
    else nytp_buf_long(b, v);
}

/* Appends a zigzag varint. */
static inline void nytp_buf_i(nytp_buf *b, int64_t v) {
    nytp_buf_u(b, nytp_buf_zigzag(v));
}

void nytp_buf_str(nytp_buf *b, nytp_str s);     /* varint length, bytes */
void nytp_buf_le(nytp_buf *b, uint64_t v, int bytes); /* fixed width, little-endian */

/* Printable ASCII as it is, backslash and all other bytes as \xHH; appends at most max bytes. */
void nytp_buf_escaped(nytp_buf *b, nytp_str s, size_t max);

void nytp_buf_clear(nytp_buf *b); /* empty and no longer failed, keeps its memory */

/* Empty, but still failed if it was: for a piece of several texts that nytp_buf_done is called for in the end. */
static inline void nytp_buf_rewind(nytp_buf *b) { b->n = 0; }

void nytp_buf_free(nytp_buf *b);  /* takes an all-zero buffer too */

/* Frees a piece whose bytes are in whole by now: whole has failed if the piece had. */
void nytp_buf_done(nytp_buf *piece, nytp_buf *whole);

typedef struct nytp_cursor {
    const unsigned char *p, *end; /* borrowed */
    int32_t failed;
} nytp_cursor;

/* Each takes one item, or returns 0 (an empty string) and leaves the cursor failed. */
uint64_t nytp_cursor_u(nytp_cursor *c);
int64_t nytp_cursor_i(nytp_cursor *c);
nytp_str nytp_cursor_str(nytp_cursor *c); /* borrowed from the bytes under the cursor */
uint64_t nytp_cursor_le(nytp_cursor *c, int bytes);

#endif
