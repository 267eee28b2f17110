/* SPDX-License-Identifier: MIT */
/* head.h - the bytes of a chunk's head: FORMAT, section 3. */
#ifndef NYTP_CAPTURE_HEAD_H
#define NYTP_CAPTURE_HEAD_H

#include "capture/chunk.h"

#define NYTP_HEAD_SUMMED 12 /* offset of the first byte that the CRC covers */

/* Appends a head of NYTP_FORMAT_CHUNK_HEAD bytes, with 0 for the CRC. */
void nytp_head_put(nytp_buf *out, const nytp_chunk_info *c);

/* Puts the CRC into the head at p. */
void nytp_head_sign(unsigned char *p, uint32_t crc);

/* Reads a head; the caller has checked the sync mark. Verifies nothing. */
void nytp_head_get(const unsigned char *p, nytp_chunk_info *c);

#endif
