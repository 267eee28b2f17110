/* SPDX-License-Identifier: MIT */
/* reader.h - reads a capture record by record, with memory for one chunk, whatever its size.
 *
 * Damage costs the damaged chunk only: the reader says where and why as a record of kind NYTP_REC_DAMAGE, looks for the
 * next chunk and goes on. Where a chunk's CRC is right but a record in it makes no sense, the records before are given,
 * then damage that covers the chunk. Records of unknown kinds are skipped and counted. */
#ifndef NYTP_CAPTURE_READER_H
#define NYTP_CAPTURE_READER_H

#include "capture/bytes.h"
#include "capture/chunk.h"
#include "capture/format.h"

typedef struct nytp_reader nytp_reader;

/* Opens a file, or standard input for "-". NULL with e set when it cannot be opened, is empty, holds no chunk and does
 * not begin like a capture, or is of a newer major version. */
nytp_reader *nytp_reader_open(const char *path, nytp_error *e);

/* The same with an open file. The reader owns it from then on, also when NULL is returned; where opening it had failed,
 * e says how. */
nytp_reader *nytp_reader_from(nytp_bytes *bytes, nytp_error *e);

/* The same, with the cost of the profiler's events taken off deltas and windows (correct.h), by the whole run's
 * prices. */
nytp_reader *nytp_reader_corrected(nytp_bytes *bytes, nytp_error *e);

/* The next record: 1, or 0 at the end, or -1 with nytp_reader_error set (reading failed, memory is short). Strings in
 * *r are borrowed until the next call. */
int nytp_reader_next(nytp_reader *r, nytp_record *out);

/* Steps into a chunk that the caller has, as if it stood at the end of the file, which has been reached: its records
 * are given next. bytes are a chunk with its head that was verified, and stay until the next call but those of
 * nytp_reader_next. */
void nytp_reader_again(nytp_reader *r, nytp_str bytes);

/* The chunk of the latest record; for damage outside chunks, the chunk before it. */
const nytp_chunk_info *nytp_reader_chunk(const nytp_reader *r);

/* That chunk as it is in the file, until the next call of nytp_reader_next. Not after damage. */
nytp_str nytp_reader_chunk_bytes(const nytp_reader *r);

/* A stream by its number in the record: from 0, in order of first sight; borrowed until the next call of
 * nytp_reader_next. NULL for damage ahead of all streams. */
const nytp_stream_id *nytp_reader_stream(const nytp_reader *r, uint32_t i);

uint64_t nytp_reader_unknown(const nytp_reader *r); /* records skipped because of their kind */

/* What went wrong first, code NYTP_OK if nothing; borrowed until close. Damage is no error. */
const nytp_error *nytp_reader_error(const nytp_reader *r);

void nytp_reader_close(nytp_reader *r); /* takes NULL */

#endif
