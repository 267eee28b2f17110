/* SPDX-License-Identifier: MIT */
/* read.h - reads a file of Devel::NYTProf's own format 5 record by record, whatever its size.
 *
 * Such a file has no marks to find one's way again behind damage: the first thing that makes no sense ends the reading,
 * with an error of code NYTP_FORMAT. What came before is good; whether to keep it is the caller's decision. */
#ifndef NYTP_V5_READ_H
#define NYTP_V5_READ_H

#include "capture/bytes.h"
#include "v5/event.h"

typedef struct nytp_v5_reader nytp_v5_reader;

/* 1 if the file begins like one of a format with a number. */
int nytp_v5_reader_knows(nytp_bytes *bytes);

/* Takes a file over that was opened, also when this returns NULL with e set: opening it had failed, or its first line
 * does not say that it is of format 5. A higher minor version is read: its number is in the first event. */
nytp_v5_reader *nytp_v5_reader_from(nytp_bytes *bytes, nytp_error *e);

/* The next event: 1, or 0 at the end, or -1 with nytp_v5_reader_error set. The first is the version; START_DEFLATE is
 * an event, and what follows is inflated. Strings in *out are borrowed until the next call. An attribute or option
 * without '=' is all key, and the p of its value is NULL. */
int nytp_v5_reader_next(nytp_v5_reader *r, nytp_v5_event *out);

/* The number of the event given last; the version is 0. */
uint64_t nytp_v5_reader_chunk(const nytp_v5_reader *r);

/* What went wrong first, code NYTP_OK if nothing; borrowed until close. The text names the file, the chunk, the offset
 * (from START_DEFLATE on that in the inflated bytes behind it) and what was expected. */
const nytp_error *nytp_v5_reader_error(const nytp_v5_reader *r);

void nytp_v5_reader_close(nytp_v5_reader *r); /* takes NULL */

#endif
