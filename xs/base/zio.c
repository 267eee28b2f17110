/* SPDX-License-Identifier: MIT */
/* zio.c - bytes deflated, inflated or summed. */
#include "base/zio.h"

#include "base/error.h"

#ifndef NYTP_NO_ZLIB

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/fast.h"

int nytp_zio_available(void) {
    return 1;
}

const char *nytp_zio_version(void) {
    return zlibVersion();
}

/* ---- all data in memory ---- */

enum nytp_code nytp_zio_deflate(nytp_buf *out, const void *p, size_t n, int level) {
    if (nytp_fast_deflate(out, p, n, level)) return NYTP_OK;
    uLongf size = compressBound(n);
    unsigned char *to = nytp_buf_room(out, size);
    int code = to ? compress2(to, &size, p, n, level) : Z_MEM_ERROR;

    if (code != Z_OK) return code == Z_MEM_ERROR ? NYTP_NOMEM : NYTP_USAGE;
    out->n += size;
    return NYTP_OK;
}

/* A deflated byte makes 1032 at most: memory is not taken for a claim of more. */
enum nytp_code nytp_zio_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
    if (raw_n / 1032 > n) return NYTP_FORMAT;
    if (nytp_fast_inflate(out, p, n, raw_n)) return NYTP_OK;
    uLongf size = raw_n;
    unsigned char *to = nytp_buf_room(out, raw_n);
    int code = to ? uncompress(to, &size, p, n) : Z_MEM_ERROR;

    if (code == Z_MEM_ERROR) return NYTP_NOMEM;
    if (code != Z_OK || size != raw_n) return NYTP_FORMAT;
    out->n += raw_n;
    return NYTP_OK;
}

uint32_t nytp_zio_crc(uint32_t crc, const void *p, size_t n) {
    const unsigned char *at = p;
    const size_t most = (size_t)1 << 30; /* zlib counts in unsigned int */

    if (nytp_fast_crc(&crc, p, n)) return crc;
    for (; n > most; at += most, n -= most) crc = (uint32_t)crc32(crc, at, (uInt)most);
    return n ? (uint32_t)crc32(crc, at, (uInt)n) : crc;
}

/* ---- streams ---- */

struct nytp_zio_inflater {
    z_stream z;
};

nytp_zio_inflater *nytp_zio_inflater_open(void) {
    nytp_zio_inflater *z = calloc(1, sizeof *z);

    if (z && inflateInit(&z->z) == Z_OK) return z;
    free(z);
    return NULL;
}

void nytp_zio_inflater_close(nytp_zio_inflater *z) {
    if (z) inflateEnd(&z->z);
    free(z);
}

/* zlib's old interface is not const-correct, and it counts in unsigned int. */
enum nytp_code nytp_zio_inflater_run(nytp_zio_inflater *z, const void *from, size_t *from_n, void *to, size_t *to_n,
                                     int *ended) {
    uInt in = (uInt)(*from_n < UINT_MAX ? *from_n : UINT_MAX), out = (uInt)(*to_n < UINT_MAX ? *to_n : UINT_MAX);
    int code;

    z->z.next_in = (Bytef *)(uintptr_t)from;
    z->z.avail_in = in;
    z->z.next_out = to;
    z->z.avail_out = out;
    code = inflate(&z->z, Z_NO_FLUSH);
    *from_n = in - z->z.avail_in;
    *to_n = out - z->z.avail_out;
    *ended = code == Z_STREAM_END;
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR) return NYTP_OK;
    return code == Z_MEM_ERROR ? NYTP_NOMEM : NYTP_FORMAT;
}

struct nytp_zio_deflater {
    z_stream stream;
};

nytp_zio_deflater *nytp_zio_deflater_open(int level) {
    nytp_zio_deflater *z = calloc(1, sizeof *z);

    if (z && deflateInit2(&z->stream, level, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY) == Z_OK) return z;
    free(z);
    return NULL;
}

/* One call of deflate. The size of the output is not known beforehand, so the caller repeats the call until room is
 * left over. */
static enum nytp_code step(nytp_zio_deflater *z, nytp_buf *out, int flush) {
    const size_t room = 32u << 10;
    unsigned char *to = nytp_buf_room(out, room);

    if (!to) return NYTP_NOMEM;
    z->stream.next_out = to;
    z->stream.avail_out = (uInt)room;
    deflate(&z->stream, flush);
    out->n += room - z->stream.avail_out;
    return NYTP_OK;
}

enum nytp_code nytp_zio_deflater_run(nytp_zio_deflater *z, nytp_buf *out, const void *p, size_t n,
                                     enum nytp_zio_end end) {
    static const int flushes[] = {Z_NO_FLUSH, Z_SYNC_FLUSH, Z_FINISH};
    const unsigned char *at = p;
    const size_t most = (size_t)1 << 30; /* zlib counts in unsigned int */

    do {
        size_t piece = n < most ? n : most;
        int flush = piece == n ? flushes[end] : Z_NO_FLUSH;

        z->stream.next_in = (Bytef *)(uintptr_t)at; /* zlib does not write there */
        z->stream.avail_in = (uInt)piece;
        do {
            if (step(z, out, flush)) return NYTP_NOMEM;
        } while (z->stream.avail_out == 0);
        at += piece;
        n -= piece;
    } while (n);
    return NYTP_OK;
}

void nytp_zio_deflater_close(nytp_zio_deflater *z) {
    if (!z) return;
    deflateEnd(&z->stream);
    free(z);
}

#else

#include "base/crc.h"

int nytp_zio_available(void) {
    return 0;
}

const char *nytp_zio_version(void) {
    return "0";
}

enum nytp_code nytp_zio_deflate(nytp_buf *out, const void *p, size_t n, int level) {
    (void)out, (void)p, (void)n, (void)level;
    return NYTP_USAGE;
}

/* A deflated byte makes 1032 at most: memory is not taken for a claim of more. */
enum nytp_code nytp_zio_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
    if (raw_n / 1032 > n) return NYTP_FORMAT;
    (void)out, (void)p, (void)n, (void)raw_n;
    return NYTP_USAGE;
}

nytp_zio_inflater *nytp_zio_inflater_open(void) {
    return NULL;
}

void nytp_zio_inflater_close(nytp_zio_inflater *z) {
    (void)z;
}

enum nytp_code nytp_zio_inflater_run(nytp_zio_inflater *z, const void *from, size_t *from_n, void *to, size_t *to_n,
                                     int *ended) {
    (void)z, (void)from, (void)to;
    *from_n = *to_n = 0;
    *ended = 0;
    return NYTP_USAGE;
}

nytp_zio_deflater *nytp_zio_deflater_open(int level) {
    (void)level;
    return NULL;
}

enum nytp_code nytp_zio_deflater_run(nytp_zio_deflater *z, nytp_buf *out, const void *p, size_t n,
                                     enum nytp_zio_end end) {
    (void)z, (void)out, (void)p, (void)n, (void)end;
    return NYTP_USAGE;
}

void nytp_zio_deflater_close(nytp_zio_deflater *z) {
    (void)z;
}

uint32_t nytp_zio_crc(uint32_t crc, const void *p, size_t n) {
    return nytp_crc_add(crc, p, n);
}

#endif
