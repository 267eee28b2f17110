/* SPDX-License-Identifier: MIT */
/* fields.h - the bytes of a record's fields, by the table of records. */
#ifndef NYTP_CAPTURE_FIELDS_H
#define NYTP_CAPTURE_FIELDS_H

#include "base/buf.h"
#include "capture/format.h"

/* Most bytes of a record's numbers: room that a buffer is to have beside its texts. */
#define NYTP_FIELDS_NUMBERS (NYTP_FORMAT_FIELDS * NYTP_BUF_VARINT)

/* Appends the fields of a record, a struct of row's kind, to b. before has the values of type d in the set of fields
 * before, NYTP_FORMAT_FIELDS numbers, and gets those of this one. */
void nytp_fields_put(nytp_buf *b, const nytp_row *row, const void *record, uint64_t *before);

#endif
