/* SPDX-License-Identifier: MIT */
/* chunk.h - the fixed head of a chunk: FORMAT, section 3. Used by the writer and the reader alone. */
#ifndef NYTP_CAPTURE_CHUNK_H
#define NYTP_CAPTURE_CHUNK_H

#include "base/buf.h"
#include "base/error.h"
#include "capture/format.h"

typedef struct nytp_chunk_info {
    nytp_stream_id stream;
    uint64_t offset;      /* in the file; set by the reader, not part of the head */
    uint64_t number;      /* among its stream's chunks, from 1 */
    int64_t start, end;   /* the window, in ticks */
    uint32_t stored, raw; /* payload bytes as in the file, and inflated */
    uint32_t version;
    uint32_t deflated; /* 1: the payload is a zlib stream */
    uint32_t crc;
} nytp_chunk_info;

/* Appends a whole chunk: the head (its CRC is worked out here), then c->stored bytes of payload. */
void nytp_chunk_put(nytp_buf *out, const nytp_chunk_info *c, const void *payload);

/* The same, with the payload deflated at zlib's level where that makes it smaller; sets stored, raw and deflated of c.
 * scratch is memory for the deflated bytes that callers reuse. Returns an nytp_code. */
enum nytp_code nytp_chunk_pack(nytp_buf *out, nytp_chunk_info *c, const nytp_buf *payload, int level,
                               nytp_buf *scratch);

/* Reads a head of NYTP_FORMAT_CHUNK_HEAD bytes; the caller has checked the sync mark. Verifies nothing. */
void nytp_chunk_get(const unsigned char *head, nytp_chunk_info *c);

/* The CRC that the chunk at p must carry; size counts head and payload. */
uint32_t nytp_chunk_crc(const unsigned char *p, size_t size);

#endif
