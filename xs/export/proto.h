/* SPDX-License-Identifier: MIT */
/* proto.h - fields of protocol buffers. A field with its default value, 0 or nothing, is left out, as readers take it
 * for that. Memory that is short leaves the buffer failed. */
#ifndef NYTP_EXPORT_PROTO_H
#define NYTP_EXPORT_PROTO_H

#include "base/buf.h"

enum { NYTP_PROTO_VARINT = 0, NYTP_PROTO_BYTES = 2 }; /* wire types */

static inline void nytp_proto_number(nytp_buf *out, uint32_t field, uint64_t n) {
    if (!n) return;
    nytp_buf_u(out, field << 3 | NYTP_PROTO_VARINT);
    nytp_buf_u(out, n);
}

/* A message, a string, or packed numbers: its bytes, even if there are none, as an element of a list may be empty. */
static inline void nytp_proto_text(nytp_buf *out, uint32_t field, nytp_str bytes) {
    nytp_buf_u(out, field << 3 | NYTP_PROTO_BYTES);
    nytp_buf_str(out, bytes);
}

/* The same for a buffer. */
static inline void nytp_proto_bytes(nytp_buf *out, uint32_t field, const nytp_buf *bytes) {
    nytp_proto_text(out, field, (nytp_str){(const char *)bytes->p, bytes->n});
    if (bytes->failed) out->failed = 1;
}

#endif
