/* SPDX-License-Identifier: MIT */
/* write.h - writes a file of Devel::NYTProf's own format, version 5.0, record by record.
 *
 * Errors are sticky: after the first one nothing more is written, and nytp_v5_writer_error returns it. As with writer.h
 * no function touches errno for its caller, raises a signal, prints or exits. Doubles are the machine's: the file's
 * attribute nv_size, which the caller writes, has to be 8. */
#ifndef NYTP_V5_WRITE_H
#define NYTP_V5_WRITE_H

#include "base/error.h"
#include "v5/event.h"

typedef struct nytp_v5_writer nytp_v5_writer;

/* Takes ownership of fd. level is zlib's, for START_DEFLATE events: -1 to 9 (others are an error at that event); at 0,
 * or in a build without zlib, such events do nothing. NULL only when memory is short (fd is then still the
 * caller's). */
nytp_v5_writer *nytp_v5_writer_open(int fd, int level);

/* Writes one record. Returns its bytes, before compression, or 0 when it was not written. Strings are copied; where a
 * newline would end the record early, in the text of a comment, an attribute or an option, it is written as \n. With
 * START_DEFLATE everything that follows is compressed, and a comment before it says so; a second one does nothing. */
size_t nytp_v5_writer_event(nytp_v5_writer *w, const nytp_v5_event *e);

/* announce_deflate does what START_DEFLATE does, at the given level; start_deflate only compresses, without the comment
 * and the tag that a reader needs. */
void nytp_v5_writer_announce_deflate(nytp_v5_writer *w, int level);
void nytp_v5_writer_start_deflate(nytp_v5_writer *w, int level);

/* Writes the caller's bytes as they are. */
size_t nytp_v5_writer_bytes(nytp_v5_writer *w, nytp_str bytes);

/* Hands everything written so far to the operating system, readable even if nothing follows. Returns an nytp_code. */
enum nytp_code nytp_v5_writer_flush(nytp_v5_writer *w);

/* Ends the deflated part, if any, with a comment on what it saved, and flushes. No record may follow. */
enum nytp_code nytp_v5_writer_finish(nytp_v5_writer *w);

/* What went wrong first, code NYTP_OK if nothing; borrowed until the writer is closed. */
const nytp_error *nytp_v5_writer_error(const nytp_v5_writer *w);

/* Finishes, closes and frees. Takes NULL. Returns the first failure's code. */
enum nytp_code nytp_v5_writer_close(nytp_v5_writer *w);

/* Closes the descriptor without writing anything: for a forked child with its parent's writer. */
void nytp_v5_writer_abandon(nytp_v5_writer *w);

#endif
