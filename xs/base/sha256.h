/* SPDX-License-Identifier: MIT */
/* sha256.h - the SHA-256 digest (FIPS 180-4) of bytes. */
#ifndef NYTP_BASE_SHA256_H
#define NYTP_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define NYTP_SHA256_BYTES 32

void nytp_sha256(const void *p, size_t n, unsigned char digest[NYTP_SHA256_BYTES]);

#endif
