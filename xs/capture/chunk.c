/* SPDX-License-Identifier: MIT */
/* chunk.c - the fixed head of a chunk. */
#include "capture/chunk.h"

#include "base/error.h"
#include "base/zio.h"
#include "capture/head.h"

#define WORTH_DEFLATING 1024 /* bytes: below that a compressor takes longer to begin than the rest of the chunk */

void nytp_chunk_put(nytp_buf *out, const nytp_chunk_info *c, const void *payload) {
    size_t begin = out->n;

    nytp_head_put(out, c);
    nytp_buf_bytes(out, payload, c->stored);
    if (!out->failed) nytp_head_sign(out->p + begin, nytp_chunk_crc(out->p + begin, out->n - begin));
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
    nytp_head_get(head, c);
}

uint32_t nytp_chunk_crc(const unsigned char *p, size_t size) {
    return nytp_zio_crc(0, p + NYTP_HEAD_SUMMED, size - NYTP_HEAD_SUMMED);
}
