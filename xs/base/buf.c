/* SPDX-License-Identifier: MIT */
/* buf.c - a growing byte buffer to write into, and a cursor to read with. */
#include "base/buf.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Doubles, so that appending is linear in all. Keeps errno: the recorder calls this inside the profiled program. */
static int could_grow(nytp_buf *b, size_t n) {
    int saved = errno;
    size_t cap = b->cap ? b->cap : 256;
    unsigned char *p = NULL;

    while (cap - b->n < n && cap <= SIZE_MAX / 2) cap *= 2;
    if (cap - b->n >= n) p = realloc(b->p, cap);
    errno = saved;
    if (!p) {
        b->failed = 1;
        return 0;
    }
    b->p = p;
    b->cap = cap;
    return 1;
}

unsigned char *nytp_buf_more(nytp_buf *b, size_t n) {
    assert(b->n <= b->cap);
    if (b->failed || ((!b->p || b->cap - b->n < n) && !could_grow(b, n))) return NULL;
    return b->p + b->n;
}

void nytp_buf_append(nytp_buf *b, const void *p, size_t n) {
    unsigned char *to = nytp_buf_room(b, n);

    if (!to || !p) return;
    memcpy(to, p, n);
    b->n += n;
}

void nytp_buf_long(nytp_buf *b, uint64_t v) {
    unsigned char *to = nytp_buf_room(b, NYTP_BUF_VARINT);

    if (to) b->n = (size_t)(nytp_buf_varint(to, v) - b->p);
}

void nytp_buf_str(nytp_buf *b, nytp_str s) {
    nytp_buf_u(b, s.n);
    nytp_buf_bytes(b, s.p, s.n);
}

void nytp_buf_le(nytp_buf *b, uint64_t v, int bytes) {
    unsigned char *to = nytp_buf_room(b, (size_t)bytes);

    if (!to) return;
    for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(v >> (8 * i));
    b->n += (size_t)bytes;
}

void nytp_buf_escaped(nytp_buf *b, nytp_str s, size_t max) {
    static const char digits[] = "0123456789ABCDEF";
    size_t done = 0;

    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        char code[4] = {'\\', 'x', digits[c >> 4], digits[c & 15]};
        int plain = c >= ' ' && c <= '~' && c != '\\';
        size_t n = plain ? 1 : sizeof code;

        if (done + n > max) return;
        nytp_buf_bytes(b, plain ? s.p + i : code, n);
        done += n;
    }
}

void nytp_buf_clear(nytp_buf *b) {
    b->n = 0;
    b->failed = 0;
}

void nytp_buf_free(nytp_buf *b) {
    free(b->p);
    *b = (nytp_buf){0};
}

void nytp_buf_done(nytp_buf *piece, nytp_buf *whole) {
    whole->failed |= piece->failed;
    nytp_buf_free(piece);
}

/* The next n bytes; past the end NULL, and the cursor has failed. */
static const unsigned char *take(nytp_cursor *c, uint64_t n) {
    const unsigned char *p = c->p;

    if (c->failed || n > (uint64_t)(c->end - c->p)) {
        c->failed = 1;
        return NULL;
    }
    c->p += n;
    return p;
}

uint64_t nytp_cursor_u(nytp_cursor *c) {
    uint64_t v = 0;

    for (int shift = 0; shift < 7 * NYTP_BUF_VARINT; shift += 7) {
        const unsigned char *p = take(c, 1);

        if (!p) return 0;
        v |= (uint64_t)(*p & 0x7F) << shift;
        if (*p < 0x80) {
            if (shift < 63 || *p <= 1) return v;
            break; /* the tenth byte has room for bit 63 only */
        }
    }
    c->failed = 1;
    return 0;
}

int64_t nytp_cursor_i(nytp_cursor *c) {
    uint64_t v = nytp_cursor_u(c);

    return v & 1 ? -(int64_t)(v >> 1) - 1 : (int64_t)(v >> 1);
}

nytp_str nytp_cursor_str(nytp_cursor *c) {
    uint64_t n = nytp_cursor_u(c);
    const unsigned char *p = take(c, n);

    return p ? (nytp_str){(const char *)p, (size_t)n} : (nytp_str){"", 0};
}

uint64_t nytp_cursor_le(nytp_cursor *c, int bytes) {
    const unsigned char *p = take(c, (uint64_t)bytes);
    uint64_t v = 0;

    while (p && bytes--) v = v << 8 | p[bytes];
    return v;
}
