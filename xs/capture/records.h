/* SPDX-License-Identifier: MIT */
/* records.h - the records in the payload of a chunk, one after another, by the table of format.h. */
#ifndef NYTP_CAPTURE_RECORDS_H
#define NYTP_CAPTURE_RECORDS_H

#include "base/buf.h"
#include "capture/format.h"

typedef struct nytp_records {
    nytp_cursor payload;  /* what is left of it; borrowed */
    nytp_cursor fields;   /* what is left of the record */
    const nytp_row *row;  /* of that record */
    uint64_t before[NYTP_FORMAT_FIELDS]; /* fields of type d of the set before */
    uint32_t kind;        /* as the record says, or UINT32_MAX if no table could have it */
    uint32_t ordinal;     /* of that record, from 1 */
    uint64_t unknown;     /* records of kinds that the table does not have: skipped */
} nytp_records; /* all zero has none */

/* Turns to another payload; `unknown` goes on counting. */
void nytp_records_begin(nytp_records *r, const void *p, size_t n);

/* Sets out->kind and out->u, all zero before, to the next record: 1, or 0 at the end. -1 where there is none that makes
 * sense; *why says what is wrong, and nothing more comes of this payload. Strings are borrowed from the payload. */
int nytp_records_next(nytp_records *r, nytp_record *out, const char **why);

#endif
