/* SPDX-License-Identifier: MIT */
/* fields.c - the bytes of a record's fields. */
#include "capture/fields.h"

#include <string.h>

/* The number as it is written: for type d the difference to the previous set of fields. */
static inline uint64_t code_of(char type, uint64_t number, uint64_t *before) {
    uint64_t step = number - *before;

    if (type == 'i') return nytp_buf_zigzag((int64_t)number);
    if (type == 'u') return number;
    *before = number;
    return nytp_buf_zigzag((int64_t)step);
}

/* Puts a string at `to`, the end of what b has, and makes room for numbers behind it. Returns the address of that room,
 * or NULL when memory is short. */
static unsigned char *put_str(nytp_buf *b, unsigned char *to, nytp_str s) {
    b->n = (size_t)(to - b->p);
    to = nytp_buf_room(b, s.n + NYTP_FIELDS_NUMBERS);
    if (!to) return NULL;
    to = nytp_buf_varint(to, s.n);
    if (s.n) memcpy(to, s.p, s.n);
    return to + s.n;
}

/* Room is asked for once a record, and once more for each string, but not for every number: this makes the table as
 * fast as code for each kind would be. Windows have thousands of deltas. */
void nytp_fields_put(nytp_buf *b, const nytp_row *row, const void *record, uint64_t *before) {
    unsigned char *to = nytp_buf_room(b, NYTP_FIELDS_NUMBERS);

    for (const nytp_field *f = row->fields; to && f->type; f++, before++) {
        const void *at = (const char *)record + f->offset;

        if (f->type == 's') to = put_str(b, to, *(const nytp_str *)at);
        else to = nytp_buf_varint(to, code_of(f->type, *(const uint64_t *)at, before));
    }
    if (to) b->n = (size_t)(to - b->p);
}
