/* SPDX-License-Identifier: MIT */
/* records.h - the records in the payload of a chunk, one after another, by the table of format.h. */
#ifndef NYTP_CAPTURE_RECORDS_H
#define NYTP_CAPTURE_RECORDS_H

#include "base/buf.h"
#include "capture/format.h"

typedef struct nytp_records {
    nytp_cursor payload;  /* the rest of it; borrowed */
    nytp_cursor fields;   /* the rest of the record */
    const nytp_row *row;  /* of the record */
    uint64_t before[NYTP_FORMAT_FIELDS]; /* values of type d in the previous set of fields */
    uint32_t kind;        /* as the record says, or UINT32_MAX if no table could have it */
    uint32_t ordinal;     /* of the record, from 1 */
    uint64_t unknown;     /* records of kinds that the table does not have: skipped */
} nytp_records; /* all zero: empty */

/* Begins another payload; `unknown` is not reset. */
void nytp_records_begin(nytp_records *r, const void *p, size_t n);

/* Sets out->kind and out->u, all zero before, to the next record. Returns 1; 0 at the end; or -1 for a record that
 * makes no sense, with *why set: the rest of this payload is given up. Strings are borrowed from the payload. */
int nytp_records_next(nytp_records *r, nytp_record *out, const char **why);

void nytp_records_give_up(nytp_records *r); /* the rest of this payload */

#endif
