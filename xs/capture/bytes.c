/* SPDX-License-Identifier: MIT */
/* bytes.c - a file read from front to back. */
#include "capture/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef NYTP_BYTES_READ /* the fuzzer's files are smaller (xt/fuzz.sh) */
#define NYTP_BYTES_READ ((size_t)256 << 10)
#endif

static void drop_done(nytp_bytes *b) {
    if (b->pos) memmove(b->buf.p, b->buf.p + b->pos, b->buf.n - b->pos);
    b->base += b->pos;
    b->buf.n -= b->pos;
    b->pos = 0;
}

static void read_more(nytp_bytes *b) {
    unsigned char *to;
    ssize_t n;

    drop_done(b);
    to = nytp_buf_room(&b->buf, NYTP_BYTES_READ);
    if (!to) {
        nytp_error_set(&b->error, NYTP_NOMEM, "%s: out of memory", b->path);
        return;
    }
    do n = read(b->fd, to, NYTP_BYTES_READ);
    while (n < 0 && errno == EINTR);
    if (n < 0) nytp_error_sys(&b->error, "%s", b->path);
    if (n > 0) b->buf.n += (size_t)n;
    b->eof = n <= 0;
}

size_t nytp_bytes_look(nytp_bytes *b, size_t n) {
    while (b->buf.n - b->pos < n && !b->eof && !b->error.code) read_more(b);
    return b->buf.n - b->pos < n ? b->buf.n - b->pos : n;
}

const unsigned char *nytp_bytes_at(const nytp_bytes *b) {
    return b->buf.p + b->pos;
}

uint64_t nytp_bytes_offset(const nytp_bytes *b) {
    return b->base + b->pos;
}

void nytp_bytes_quote(nytp_bytes *b, nytp_buf *text, size_t most) {
    size_t n = nytp_bytes_look(b, most);
    const char *at = n ? (const char *)nytp_bytes_at(b) : "", *newline = memchr(at, '\n', n);
    nytp_str line = {at, newline ? (size_t)(newline - at) : n};

    nytp_buf_escaped(text, line, 4 * most);
}

enum nytp_code nytp_bytes_from(nytp_bytes *b, const char *path, int fd) {
    *b = (nytp_bytes){.fd = fd};
    if (fd < 0) nytp_error_sys(&b->error, "%s", path);
    b->path = strdup(path);
    if (!b->path) nytp_error_set(&b->error, NYTP_NOMEM, "%s: out of memory", path);
    return b->error.code;
}

enum nytp_code nytp_bytes_open(nytp_bytes *b, const char *path) {
    if (strcmp(path, "-") == 0) return nytp_bytes_from(b, "standard input", STDIN_FILENO);
    return nytp_bytes_from(b, path, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY));
}

int nytp_bytes_is_own(const nytp_bytes *b) {
    struct stat st;
    return b->fd >= 0 && !fstat(b->fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & S_IWOTH);
}

void nytp_bytes_close(nytp_bytes *b) {
    if (b->fd > STDIN_FILENO) close(b->fd);
    nytp_buf_free(&b->buf);
    free(b->path);
}
