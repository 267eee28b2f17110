/* SPDX-License-Identifier: MIT */
/* decode.h - the records of format 5, from bytes in memory. The lower half of read. */
#ifndef NYTP_V5_DECODE_H
#define NYTP_V5_DECODE_H

#include "v5/event.h"

#define NYTP_V5_STRING_MAX (64u << 20) /* bytes; longer strings and lines are refused */

typedef struct nytp_v5_take {
    const unsigned char *at, *end; /* the rest of the bytes; borrowed */
    const char *doing;             /* the record being read, for messages; NULL: no record begins with that byte */
    const char *wrong;             /* why it cannot be read, or NULL */
    int32_t is_short;              /* 1: the bytes ran out */
} nytp_v5_take;

/* Decodes the record at t->at, which is before t->end, and moves t->at behind it; strings are borrowed from the bytes.
 * Returns 1; 0 if the record needs more bytes, to be decoded again from its first; -1 if it makes no sense: see `doing`
 * and `wrong`. */
int nytp_v5_decode(nytp_v5_take *t, nytp_v5_event *out);

#endif
