/* SPDX-License-Identifier: MIT */
/* gzip.c - data as a gzip file. */
#include "export/gzip.h"

#include "base/zio.h"

enum { ZLIB_HEAD = 2, ZLIB_TAIL = 4 }; /* bytes around the deflated data of a zlib stream */
enum { LEVEL = 1, ANY_SYSTEM = 255 }; /* a tenth larger than level 6, in a third of the time */

int nytp_gzip(nytp_buf *out, const nytp_buf *bytes) {
    static const unsigned char head[10] = {0x1F, 0x8B, 8, [9] = ANY_SYSTEM}; /* no flags, no time */
    nytp_buf stream = {0};
    if (!nytp_zio_available()) {
        nytp_buf_bytes(out, bytes->p, bytes->n);
        return NYTP_OK;
    }
    int code = nytp_zio_deflate(&stream, bytes->p, bytes->n, LEVEL);
    if (!code) {
        nytp_buf_bytes(out, head, sizeof head);
        nytp_buf_bytes(out, stream.p + ZLIB_HEAD, stream.n - ZLIB_HEAD - ZLIB_TAIL);
        nytp_buf_le(out, nytp_zio_crc(0, bytes->p, bytes->n), 4);
        nytp_buf_le(out, bytes->n, 4);
    }
    nytp_buf_done(&stream, out);
    return code;
}
