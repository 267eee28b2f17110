/* SPDX-License-Identifier: MIT */
/* head.c - the bytes of a chunk's head. */
#include "capture/head.h"

#include <string.h>

#define CRC_AT 8 /* offset of the CRC, a le32 behind the sync mark */
#define FLAG_DEFLATED 1u

static void put_stream(nytp_buf *out, const nytp_stream_id *s) {
    nytp_buf_le(out, s->front_end, 2);
    nytp_buf_bytes(out, s->run, sizeof s->run);
    nytp_buf_le(out, s->process_start, 8);
    nytp_buf_le(out, s->pid, 4);
    nytp_buf_le(out, s->thread, 4);
    nytp_buf_le(out, 0, 4);
}

void nytp_head_put(nytp_buf *out, const nytp_chunk_info *c) {
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
}

void nytp_head_sign(unsigned char *p, uint32_t crc) {
    for (int i = 0; i < 4; i++) p[CRC_AT + i] = (unsigned char)(crc >> (8 * i));
}

void nytp_head_get(const unsigned char *p, nytp_chunk_info *c) {
    nytp_cursor at = {p + CRC_AT, p + NYTP_FORMAT_CHUNK_HEAD, 0};

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
