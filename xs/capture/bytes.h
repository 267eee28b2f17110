/* SPDX-License-Identifier: MIT */
/* bytes.h - a file read from front to back with any amount of lookahead; all readers are built on it. */
#ifndef NYTP_CAPTURE_BYTES_H
#define NYTP_CAPTURE_BYTES_H

#include "base/buf.h"
#include "base/error.h"

typedef struct nytp_bytes {
    nytp_error error; /* sticky: reading failed, memory is short */
    char *path;       /* for messages; owned */
    nytp_buf buf;     /* bytes read and not yet done */
    size_t pos;       /* in buf: everything before is done */
    uint64_t base;    /* offset in the file of buf's first byte */
    int32_t fd, eof;
} nytp_bytes; /* may be moved by assignment; then only the new struct is closed */

/* Opens path, or standard input for "-". Returns an nytp_code; b must be closed in any case. */
enum nytp_code nytp_bytes_open(nytp_bytes *b, const char *path);

/* The same with an open descriptor, which b owns from then on; path is for messages. */
enum nytp_code nytp_bytes_from(nytp_bytes *b, const char *path, int fd);

/* The number of bytes available from pos, at most n: fewer only at the end of the file, or when reading fails. */
size_t nytp_bytes_look(nytp_bytes *b, size_t n);

const unsigned char *nytp_bytes_at(const nytp_bytes *b); /* the byte at pos; valid until the next look */
uint64_t nytp_bytes_offset(const nytp_bytes *b);         /* of that byte in the file */

/* The first line, for a message: at most `most` bytes of it, what is not printable escaped. Appended to text. */
void nytp_bytes_quote(nytp_bytes *b, nytp_buf *text, size_t most);

/* Whether the file is the user's own: a plain one that belongs to the user and that not everybody can write. */
int nytp_bytes_is_own(const nytp_bytes *b);

void nytp_bytes_close(nytp_bytes *b);

#endif
