/* SPDX-License-Identifier: MIT */
/* sink.h - the destination of a report: a directory, one file, standard output, or memory.
 *
 * A page is complete or absent: as a file it is written under a temporary name and renamed. Errors are sticky, and
 * nytp_sink_close returns the first. A directory of a report contains NYTP_SINK_MARKER, the list of its pages: a later
 * report deletes these only, and no other file. */
#ifndef NYTP_REPORT_SINK_H
#define NYTP_REPORT_SINK_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

#define NYTP_SINK_MARKER ".nytprof-pages"

typedef struct nytp_sink nytp_sink;

/* mode has the permissions of the files, whatever the umask; who may read these may enter a directory that is made for
 * them. Makes the directory if it is missing; with empty set, deletes the pages an earlier report left in it. NULL with
 * e set: the path is a file, or the directory cannot be made or written to. */
nytp_sink *nytp_sink_directory(const char *path, int empty, uint32_t mode, nytp_error *e);

/* For a report of one page, whatever its name: writes the file path, or, for "-" and a path that is no regular file (a
 * device, a pipe), directly. A terminal gets the text as nytp_escape_terminal makes it, whatever the report is. NULL
 * with e set: path is a directory, or its directory does not exist. */
nytp_sink *nytp_sink_file(const char *path, uint32_t mode, nytp_error *e);

/* Keeps the pages in memory; NULL with e set when memory is short. */
nytp_sink *nytp_sink_memory(nytp_error *e);

/* A name is letters, digits and punctuation without a slash. bytes is NULL-able when n is 0. Returns an nytp_code. */
int nytp_sink_put(nytp_sink *s, nytp_str name, const void *bytes, size_t n);

/* The same, of a page that is too large to be held in memory: its buffer is drained any number of times between a begin
 * and an end. A failure is sticky. */
int nytp_sink_begin(nytp_sink *s, nytp_str name);
int nytp_sink_end(nytp_sink *s);

/* Writes and empties the buffer if it has at least that many bytes. A failed buffer fails the sink. */
int nytp_sink_drain(nytp_sink *s, nytp_buf *out, size_t least);
#define NYTP_SINK_PIECE 65536u /* bytes worth a system call */

/* Ends the page that was begun with the rest of the buffer, which is freed. A code other than NYTP_OK, or a failed
 * buffer, says that memory was short: then there is no page. Returns the sink's first error's code. */
int nytp_sink_finish(nytp_sink *s, nytp_buf *out, int code);

/* Makes a sentence the sink's error, for a report that cannot be made. Returns NYTP_USAGE, or the earlier error's
 * code. */
int nytp_sink_fail(nytp_sink *s, const char *text);

/* Colours of the report itself are for a terminal, too: its other text has been escaped. */
void nytp_sink_has_colors(nytp_sink *s);

/* A memory sink's page, borrowed until close; p is NULL when there is none of that name. */
nytp_str nytp_sink_page(const nytp_sink *s, nytp_str name);

/* Finishes (a directory's marker is written here) and frees. Returns the first failure's code, and the error in e where
 * e is not NULL. Takes NULL. */
int nytp_sink_close(nytp_sink *s, nytp_error *e);

#endif
