/* SPDX-License-Identifier: MIT */
/* read.h - reads a file of Devel::NYTProf's own format 5 record by record, whatever its size.
 *
 * The format has no sync marks: the first record that makes no sense ends the reading, with an error of code
 * NYTP_FORMAT. The events before it are good; whether to keep them is the caller's decision. */
#ifndef NYTP_V5_READ_H
#define NYTP_V5_READ_H

#include "capture/bytes.h"
#include "v5/event.h"

typedef struct nytp_v5_reader nytp_v5_reader;

/* 1 if the file begins with "NYTProf" and a number. */
int nytp_v5_reader_knows(nytp_bytes *bytes);

/* Takes ownership of an open file, also when NULL is returned with e set: opening had failed, or the first line is not
 * that of format 5. A higher minor version is read: its number is in the first event. */
nytp_v5_reader *nytp_v5_reader_from(nytp_bytes *bytes, nytp_error *e);

/* The next event: 1, or 0 at the end, or -1 with nytp_v5_reader_error set. The first is the version; START_DEFLATE is
 * an event, and the events behind it are inflated. Strings in *out are borrowed until the next call. An attribute or
 * option without '=' is all key, and the p of its value is NULL. */
int nytp_v5_reader_next(nytp_v5_reader *r, nytp_v5_event *out);

/* The number of the latest event; the version has 0. */
uint64_t nytp_v5_reader_chunk(const nytp_v5_reader *r);

/* How much of the file has been read, in bytes. */
uint64_t nytp_v5_reader_offset(const nytp_v5_reader *r);

/* What went wrong first, code NYTP_OK if nothing; borrowed until close. The text names the file, the chunk, the offset
 * (behind START_DEFLATE the offset in the inflated bytes) and what was expected. */
const nytp_error *nytp_v5_reader_error(const nytp_v5_reader *r);

void nytp_v5_reader_close(nytp_v5_reader *r); /* takes NULL */

#endif
