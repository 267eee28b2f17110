/* SPDX-License-Identifier: MIT */
/* chunk.c - the fixed head of a chunk. */
#include "capture/chunk.h"

#include <string.h>

#include "base/error.h"
#include "base/zio.h"

#define CRC_AT 8      /* offset of the CRC, a le32 behind the sync mark */
#define CRC_COVERS 12 /* offset of the first byte that the CRC covers */
#define FLAG_DEFLATED 1u
#define WORTH_DEFLATING 1024 /* bytes: below that a compressor takes longer to begin than the rest of the chunk */

static void put_stream(nytp_buf *out, const nytp_stream_id *s) {
    nytp_buf_le(out, s->front_end, 2);
    nytp_buf_bytes(out, s->run, sizeof s->run);
    nytp_buf_le(out, s->process_start, 8);
    nytp_buf_le(out, s->pid, 4);
    nytp_buf_le(out, s->thread, 4);
    nytp_buf_le(out, 0, 4);
}

void nytp_chunk_put(nytp_buf *out, const nytp_chunk_info *c, const void *payload) {
    size_t begin = out->n;
    uint32_t crc;

    nytp_buf_bytes(out, NYTP_FORMAT_SYNC, 8);
    nytp_buf_le(out, 0, 4);
    nytp_buf_le(out, c->stored, 4);
    nytp_buf_le(out, c->raw, 4);
    nytp_buf_byte(out, (unsigned char)c->version);
    nytp_buf_byte(out, c->deflated ? FLAG_DEFLATED : 0);
    put_stream(out, &c->stream);
    nytp_buf_le(out, c->number, 8);
    nytp_buf_le(out, (uint64_t)c->start, 8);
    nytp_buf_le(out, (uint64_t)c->end, 8);
    nytp_buf_bytes(out, payload, c->stored);
    if (out->failed) return;
    crc = nytp_chunk_crc(out->p + begin, out->n - begin);
    for (int i = 0; i < 4; i++) out->p[begin + CRC_AT + (size_t)i] = (unsigned char)(crc >> (8 * i));
}

enum nytp_code nytp_chunk_pack(nytp_buf *out, nytp_chunk_info *c, const nytp_buf *payload, int level,
                               nytp_buf *scratch) {
    const nytp_buf *stored = payload;

    nytp_buf_clear(scratch);
    if (level && payload->n >= WORTH_DEFLATING && !payload->failed) {
        int code = nytp_zio_deflate(scratch, payload->p, payload->n, level);

        if (code) return code;
        if (scratch->n < payload->n) stored = scratch;
    }
    c->version = NYTP_FORMAT_VERSION;
    c->raw = (uint32_t)payload->n;
    c->stored = (uint32_t)stored->n;
    c->deflated = stored == scratch;
    nytp_chunk_put(out, c, stored->p);
    return payload->failed || out->failed ? NYTP_NOMEM : NYTP_OK;
}

void nytp_chunk_get(const unsigned char *head, nytp_chunk_info *c) {
    nytp_cursor at = {head + CRC_AT, head + NYTP_FORMAT_CHUNK_HEAD, 0};

    c->crc = (uint32_t)nytp_cursor_le(&at, 4);
    c->stored = (uint32_t)nytp_cursor_le(&at, 4);
    c->raw = (uint32_t)nytp_cursor_le(&at, 4);
    c->version = (uint32_t)nytp_cursor_le(&at, 1);
    c->deflated = nytp_cursor_le(&at, 1) & FLAG_DEFLATED;
    c->stream.front_end = (uint32_t)nytp_cursor_le(&at, 2);
    memcpy(c->stream.run, at.p, sizeof c->stream.run);
    at.p += sizeof c->stream.run;
    c->stream.process_start = nytp_cursor_le(&at, 8);
    c->stream.pid = (uint32_t)nytp_cursor_le(&at, 4);
    c->stream.thread = (uint32_t)nytp_cursor_le(&at, 4);
    nytp_cursor_le(&at, 4);
    c->number = nytp_cursor_le(&at, 8);
    c->start = (int64_t)nytp_cursor_le(&at, 8);
    c->end = (int64_t)nytp_cursor_le(&at, 8);
}

uint32_t nytp_chunk_crc(const unsigned char *p, size_t size) {
    return nytp_zio_crc(0, p + CRC_COVERS, size - CRC_COVERS);
}
