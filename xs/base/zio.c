/* SPDX-License-Identifier: MIT */
/* zio.c - bytes deflated, inflated or summed. */
#include "base/zio.h"

#include "base/error.h"

#ifndef NYTP_NO_ZLIB

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef NYTP_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef NYTP_ISAL
#include <isa-l/igzip_lib.h>
#endif

int nytp_zio_available(void) {
    return 1;
}

const char *nytp_zio_version(void) {
    return zlibVersion();
}

/* ---- all data in memory ---- */

#ifdef NYTP_ISAL

#define QUICK_LEVEL 1

typedef struct quick {
    struct isal_zstream stream;
    uint8_t tables[ISAL_DEF_LVL1_SMALL];
} quick;

/* Returns 0 if it could not. Data that would grow is stored: 5 bytes for each 64 kB, and header and trailer. */
static int deflate_quickly(nytp_buf *out, const void *p, size_t n) {
    size_t most = n + n / 8192 + 64;
    quick *z = most <= UINT32_MAX ? calloc(1, sizeof *z) : NULL; /* its init leaves fields unset that it reads */
    unsigned char *to = z ? nytp_buf_room(out, most) : NULL;
    int done = 0;

    if (to) {
        isal_deflate_stateless_init(&z->stream);
        z->stream.level = QUICK_LEVEL;
        z->stream.level_buf = z->tables;
        z->stream.level_buf_size = sizeof z->tables;
        z->stream.gzip_flag = IGZIP_ZLIB;
        z->stream.end_of_stream = 1;
        z->stream.next_in = (uint8_t *)(uintptr_t)p; /* igzip does not write there */
        z->stream.avail_in = (uint32_t)n;
        z->stream.next_out = to;
        z->stream.avail_out = (uint32_t)most;
        done = isal_deflate_stateless(&z->stream) == COMP_OK;
    }
    if (done) out->n += z->stream.total_out;
    free(z);
    return done;
}

#else
#define QUICK_LEVEL (-2) /* no level of zlib's */
static int deflate_quickly(nytp_buf *out, const void *p, size_t n) {
    (void)out, (void)p, (void)n;
    return 0;
}
#endif

#ifdef NYTP_LIBDEFLATE

static int deflate_well(nytp_buf *out, const void *p, size_t n, int level) {
    struct libdeflate_compressor *z;
    unsigned char *to;

    if (level > 9) return NYTP_USAGE;
    z = libdeflate_alloc_compressor(level < 0 ? 6 : level);
    if (!z) return NYTP_NOMEM;
    to = nytp_buf_room(out, libdeflate_zlib_compress_bound(z, n));
    if (to) out->n += libdeflate_zlib_compress(z, p, n, to, out->cap - out->n);
    libdeflate_free_compressor(z);
    return to ? NYTP_OK : NYTP_NOMEM;
}

int nytp_zio_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
    struct libdeflate_decompressor *z;
    unsigned char *to = nytp_buf_room(out, raw_n);
    enum libdeflate_result result;

    z = to ? libdeflate_alloc_decompressor() : NULL;
    if (!z) return NYTP_NOMEM;
    result = libdeflate_zlib_decompress(z, p, n, to, raw_n, NULL);
    libdeflate_free_decompressor(z);
    if (result != LIBDEFLATE_SUCCESS) return NYTP_FORMAT;
    out->n += raw_n;
    return NYTP_OK;
}

uint32_t nytp_zio_crc(uint32_t crc, const void *p, size_t n) {
    return n ? libdeflate_crc32(crc, p, n) : crc;
}

#else

static int deflate_well(nytp_buf *out, const void *p, size_t n, int level) {
    uLongf size = compressBound(n);
    unsigned char *to = nytp_buf_room(out, size);
    int code = to ? compress2(to, &size, p, n, level) : Z_MEM_ERROR;

    if (code != Z_OK) return code == Z_MEM_ERROR ? NYTP_NOMEM : NYTP_USAGE;
    out->n += size;
    return NYTP_OK;
}

int nytp_zio_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
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

    for (; n > most; at += most, n -= most) crc = (uint32_t)crc32(crc, at, (uInt)most);
    return n ? (uint32_t)crc32(crc, at, (uInt)n) : crc;
}

#endif

int nytp_zio_deflate(nytp_buf *out, const void *p, size_t n, int level) {
    if (level == QUICK_LEVEL && deflate_quickly(out, p, n)) return NYTP_OK;
    return deflate_well(out, p, n, level);
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
int nytp_zio_inflater_run(nytp_zio_inflater *z, const void *from, size_t *from_n, void *to, size_t *to_n, int *ended) {
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
static int step(nytp_zio_deflater *z, nytp_buf *out, int flush) {
    const size_t room = 32u << 10;
    unsigned char *to = nytp_buf_room(out, room);

    if (!to) return NYTP_NOMEM;
    z->stream.next_out = to;
    z->stream.avail_out = (uInt)room;
    deflate(&z->stream, flush);
    out->n += room - z->stream.avail_out;
    return NYTP_OK;
}

int nytp_zio_deflater_run(nytp_zio_deflater *z, nytp_buf *out, const void *p, size_t n, enum nytp_zio_end end) {
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

int nytp_zio_available(void) {
    return 0;
}

const char *nytp_zio_version(void) {
    return "0";
}

int nytp_zio_deflate(nytp_buf *out, const void *p, size_t n, int level) {
    (void)out, (void)p, (void)n, (void)level;
    return NYTP_USAGE;
}

int nytp_zio_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n) {
    (void)out, (void)p, (void)n, (void)raw_n;
    return NYTP_USAGE;
}

nytp_zio_inflater *nytp_zio_inflater_open(void) {
    return NULL;
}

void nytp_zio_inflater_close(nytp_zio_inflater *z) {
    (void)z;
}

int nytp_zio_inflater_run(nytp_zio_inflater *z, const void *from, size_t *from_n, void *to, size_t *to_n, int *ended) {
    (void)z, (void)from, (void)to;
    *from_n = *to_n = 0;
    *ended = 0;
    return NYTP_USAGE;
}

nytp_zio_deflater *nytp_zio_deflater_open(int level) {
    (void)level;
    return NULL;
}

int nytp_zio_deflater_run(nytp_zio_deflater *z, nytp_buf *out, const void *p, size_t n, enum nytp_zio_end end) {
    (void)z, (void)out, (void)p, (void)n, (void)end;
    return NYTP_USAGE;
}

void nytp_zio_deflater_close(nytp_zio_deflater *z) {
    (void)z;
}

/* Four bits at a time: the remainders of 0..15 for the reversed polynomial EDB88320. */
uint32_t nytp_zio_crc(uint32_t crc, const void *p, size_t n) {
    static const uint32_t remainders[16] = {
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158, 0x5005713C,
        0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4, 0xA00AE278, 0xBDBDF21C};
    const unsigned char *at = p;

    crc = ~crc;
    while (n--) {
        crc ^= *at++;
        crc = crc >> 4 ^ remainders[crc & 15];
        crc = crc >> 4 ^ remainders[crc & 15];
    }
    return ~crc;
}

#endif
