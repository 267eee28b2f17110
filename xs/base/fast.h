/* SPDX-License-Identifier: MIT */
/* fast.h - libraries that do zlib's work in less time, for data in memory as a whole: libdeflate, and ISA-L's igzip,
 * which has level 1 only. A program is built with their headers and opens the libraries when it starts, so that it also
 * runs on a machine that lacks them: there zio uses zlib. */
#ifndef NYTP_BASE_FAST_H
#define NYTP_BASE_FAST_H

#include "base/buf.h"

/* Append as nytp_zio_deflate and nytp_zio_inflate do. Return 1 if it is done, 0 if it is left to zlib: there is no
 * library for it, no memory, or something is wrong with the data or the level. */
int nytp_fast_deflate(nytp_buf *out, const void *p, size_t n, int level);
int nytp_fast_inflate(nytp_buf *out, const void *p, size_t n, size_t raw_n);

/* As nytp_zio_crc, with the sum so far in *crc. */
int nytp_fast_crc(uint32_t *crc, const void *p, size_t n);

#endif
