/* SPDX-License-Identifier: MIT */
/* zio.h - bytes deflated, inflated or summed. The only file that knows zlib. What is in memory as a whole is left
 * to the libraries of fast.h where the machine has them. */
#ifndef NYTP_BASE_ZIO_H
#define NYTP_BASE_ZIO_H

#include "base/buf.h"
#include "base/error.h"

/* 1 if built with zlib. Without zlib nytp_zio_deflate and nytp_zio_inflate fail with NYTP_USAGE and captures are
 * written uncompressed. */
int nytp_zio_available(void);

/* Append the zlib stream of p[0..n) to out. level is zlib's, -1 to 9. Returns an nytp_code. */
enum nytp_code nytp_zio_deflate(nytp_buf *out, const void *p, size_t n, int level);

/* Append exactly raw_n inflated bytes to out, else return NYTP_FORMAT and leave out->n as it was. */
enum nytp_code nytp_zio_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n);

/* A zlib stream that is read and inflated in pieces. open returns NULL when memory is short or built without zlib;
 * close takes NULL. */
typedef struct nytp_zio_inflater nytp_zio_inflater;
nytp_zio_inflater *nytp_zio_inflater_open(void);
void nytp_zio_inflater_close(nytp_zio_inflater *z);

/* Inflates from from[0..*from_n) into to[0..*to_n), as much as fits, and sets both numbers to the bytes used and
 * written. Returns NYTP_OK, with *ended set to 1 at the end of the stream; NYTP_FORMAT where it is damaged;
 * NYTP_NOMEM. */
enum nytp_code nytp_zio_inflater_run(nytp_zio_inflater *z, const void *from, size_t *from_n, void *to, size_t *to_n,
                                     int *ended);

/* A zlib stream that is written piece by piece. */
typedef struct nytp_zio_deflater nytp_zio_deflater;

enum nytp_zio_end {
    NYTP_ZIO_MORE,  /* input may stay buffered */
    NYTP_ZIO_FLUSH, /* the output so far contains all input */
    NYTP_ZIO_FINISH /* the same, and the stream ends */
};

/* NULL when memory is short, the level is not -1 to 9, or there is no zlib. */
nytp_zio_deflater *nytp_zio_deflater_open(int level);

/* Deflates p[0..n) and appends the output to out. Returns an nytp_code. */
enum nytp_code nytp_zio_deflater_run(nytp_zio_deflater *z, nytp_buf *out, const void *p, size_t n,
                                     enum nytp_zio_end end);

void nytp_zio_deflater_close(nytp_zio_deflater *z); /* takes NULL; input that was not flushed is lost */

const char *nytp_zio_version(void); /* of zlib; "0" without it */

/* The CRC-32 of zlib, PNG and Ethernet; start with crc 0. Works without zlib. */
uint32_t nytp_zio_crc(uint32_t crc, const void *p, size_t n);

#endif
