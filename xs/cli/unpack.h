/* SPDX-License-Identifier: MIT */
/* unpack.h - reads the fields of what the report pprof has written, for requests that say them in other words. */
#ifndef NYTP_CLI_UNPACK_H
#define NYTP_CLI_UNPACK_H

#include "base/buf.h"
#include "base/error.h"

/* The numbers of fields, in pprof's profile.proto. */
enum { NYTP_UNPACK_SAMPLE_TYPE = 1, NYTP_UNPACK_SAMPLE, NYTP_UNPACK_MAPPING, NYTP_UNPACK_LOCATION,
       NYTP_UNPACK_FUNCTION, NYTP_UNPACK_STRING, NYTP_UNPACK_PERIOD_TYPE = 11, NYTP_UNPACK_PERIOD };

typedef struct nytp_unpack_field {
    uint32_t number;
    uint64_t value; /* of a number */
    nytp_str bytes; /* of a message, a text or packed numbers; borrowed */
} nytp_unpack_field;

/* Appends the message that a gzip file of export/gzip.h has; the buffer has failed if memory was short. */
void nytp_unpack(nytp_buf *out, nytp_str file);

/* The next field of a message; 0: there is none. */
int nytp_unpack_next(nytp_cursor *c, nytp_unpack_field *field);

/* The number in a message's field of that number, or 0. */
uint64_t nytp_unpack_number(nytp_str message, uint32_t number);

static inline nytp_cursor nytp_unpack_cursor(nytp_str message) {
    return (nytp_cursor){.p = (const unsigned char *)message.p, .end = (const unsigned char *)message.p + message.n};
}

#endif
