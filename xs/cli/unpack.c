/* SPDX-License-Identifier: MIT */
/* unpack.c - reads the fields of what the report pprof has written. */
#include "cli/unpack.h"

#include "base/zio.h"

enum { GZIP_HEAD = 10, GZIP_TAIL = 8, GZIP_SIZE = 4 }; /* bytes of a gzip file around the deflated data */

/* The data with the head of a zlib stream; its sum, which comes last, is not asked for. */
static void inflate(nytp_buf *out, nytp_str data, size_t n) {
    static const unsigned char head[2] = {0x78, 0x01};
    nytp_zio_inflater *z = nytp_zio_inflater_open();
    unsigned char *to = nytp_buf_room(out, n ? n : 1);
    int ended = 0;
    size_t from_n = sizeof head, none = 0, to_n = n;
    if (!z || !to || nytp_zio_inflater_run(z, head, &from_n, to, &none, &ended)) out->failed = 1;
    else {
        from_n = data.n;
        if (nytp_zio_inflater_run(z, data.p, &from_n, to, &to_n, &ended) || to_n != n) out->failed = 1;
        else out->n += n;
    }
    nytp_zio_inflater_close(z);
}

void nytp_unpack(nytp_buf *out, nytp_str file) {
    const unsigned char *p = (const unsigned char *)file.p;
    if (file.n < GZIP_HEAD + GZIP_TAIL || p[0] != 0x1F || p[1] != 0x8B) {
        nytp_buf_bytes(out, file.p, file.n);
        return;
    }
    nytp_cursor size = {.p = p + file.n - GZIP_SIZE, .end = p + file.n};
    inflate(out, (nytp_str){file.p + GZIP_HEAD, file.n - GZIP_HEAD - GZIP_TAIL},
            (size_t)nytp_cursor_le(&size, GZIP_SIZE));
}

int nytp_unpack_next(nytp_cursor *c, nytp_unpack_field *field) {
    if (c->failed || c->p >= c->end) return 0;
    uint64_t key = nytp_cursor_u(c);
    *field = (nytp_unpack_field){.number = (uint32_t)(key >> 3)};
    if ((key & 7) == 2) field->bytes = nytp_cursor_str(c);
    else field->value = nytp_cursor_u(c);
    return !c->failed;
}

uint64_t nytp_unpack_number(nytp_str message, uint32_t number) {
    nytp_cursor c = nytp_unpack_cursor(message);
    nytp_unpack_field field;
    while (nytp_unpack_next(&c, &field))
        if (field.number == number) return field.value;
    return 0;
}
