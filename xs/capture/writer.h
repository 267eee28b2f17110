/* SPDX-License-Identifier: MIT */
/* writer.h - makes a capture: text lines, then chunks of records.
 *
 * Records gather in memory; nytp_writer_chunk makes them one self-contained chunk and hands it to the operating system
 * in one write, so a process that is killed loses at most the records since then. Errors are sticky, but for a full
 * disk if that is asked for (nytp_writer_may_wait): after the first one nothing more is written, the file is cut back
 * to its last whole chunk, and nytp_writer_error returns the error. No function here touches errno for its caller,
 * raises a signal, prints or exits. A record too large for any reader is replaced by a note that says so. */
#ifndef NYTP_CAPTURE_WRITER_H
#define NYTP_CAPTURE_WRITER_H

#include "base/error.h"
#include "capture/format.h"
#include "capture/held.h"

typedef struct nytp_writer nytp_writer;

/* Takes ownership of fd: an empty file, or one with whole chunks if other writers share it (nytp_writer_shares); chunks
 * are appended. level is zlib's (-1..9, others are an error); 0, or a build that cannot compress, writes plain chunks.
 * NULL only when memory is short (fd is then still the caller's). */
nytp_writer *nytp_writer_open(int fd, const nytp_stream_id *stream, int level);

/* Where a writer's records go instead of a capture. After an error, which is set in e, only close is called. */
typedef struct nytp_writer_outlet {
    void (*write)(void *self, const nytp_record *r, nytp_error *e); /* strings are borrowed for the call */
    void (*flush)(void *self, nytp_error *e);                       /* a chunk's last record has been written */
    void (*close)(void *self, nytp_error *e);                       /* writes nothing, and frees self */
    void *self;
} nytp_writer_outlet;

/* Opens a writer for an outlet and takes the outlet over. Text lines go nowhere. NULL only when memory is short (the
 * outlet is then still the caller's). */
nytp_writer *nytp_writer_open_outlet(const nytp_writer_outlet *outlet, const nytp_stream_id *stream);

/* Says that other writers append to the same file: after a failure it is not cut back. */
void nytp_writer_shares(nytp_writer *w);

/* Chunks for which there is no room on the disk wait in memory, 4 MB at most, and are written with a later chunk or at
 * the end. Meanwhile there are no drafts. */
void nytp_writer_may_wait(nytp_writer *w);

/* Why chunks wait now, code NYTP_OK if none does; borrowed until the next call. */
const nytp_error *nytp_writer_waits(const nytp_writer *w);

/* Records of source get a chunk of their own, behind the others of nytp_writer_chunk, and are left out with a note
 * where they would take more than half of the room that is left on the disk: counts are worth more. */
void nytp_writer_sources_last(nytp_writer *w);

/* Opens the file once more, if it is a regular one, for drafts; second as in nytp_slots_open. Of a ring all windows are
 * drafts, and each has a slot that is large enough, in a new area if need be. */
void nytp_writer_have_drafts(nytp_writer *w, int is_ring, nytp_held *second);

/* Of a ring: the drafts up to now stay until the next turn, those from now on replace the ones before. */
void nytp_writer_turn(nytp_writer *w);

/* Says that the next chunk is a copy, of that stream and with that number, and that no text goes before it. */
void nytp_writer_copies(nytp_writer *w, const nytp_stream_id *stream, uint64_t number);

/* The most bytes of the file, with those of others. The part of it is for this writer's drafts, from the first of
 * these on; definitions for which there is no room become part of these. A window that fits nowhere is an error. Half
 * is the part of the first writer, which the others leave it. */
void nytp_writer_limit(nytp_writer *w, uint64_t bytes, uint32_t part);

/* Whether so many bytes of records may be beyond the limit. */
int nytp_writer_is_tight(const nytp_writer *w, size_t more);

/* Bytes that chunks may take behind all records put up to now but source, as far as a limit of file sizes tells, and
 * with on_disk the disk, too; else UINT64_MAX. */
uint64_t nytp_writer_room(const nytp_writer *w, int on_disk);

/* A descriptor of the same open file, for a forked child that opens a writer of its own for it, with
 * nytp_writer_shares; or with overwrites that for drafts. -1: there is none. */
int nytp_writer_duplicate(nytp_writer *w, int overwrites);

/* One `:key=value` line of the text that opens the file; what is not printable ASCII is shown as \xHH, and what
 * would make the line longer than NYTP_FORMAT_LINE_MAX is cut. Before the first chunk. */
void nytp_writer_text(nytp_writer *w, nytp_str key, nytp_str value);

/* Adds one record to the chunk that is gathering: the fields that the table has for r->kind, which is a kind of the
 * table. Strings are copied. Failed allocations show in nytp_writer_error. */
void nytp_writer_put(nytp_writer *w, const nytp_record *r);

/* The same for frequent kinds: an attribute, option or property; a note; an end, with the number of chunks filled
 * in. */
static inline void nytp_writer_pair(nytp_writer *w, enum nytp_kind kind, nytp_str key, nytp_str value) {
    nytp_writer_put(w, &(nytp_record){.kind = kind, .u.pair = {key, value}});
}
static inline void nytp_writer_note(nytp_writer *w, nytp_str text) {
    nytp_writer_put(w, &(nytp_record){.kind = NYTP_REC_NOTE, .u.note = {text}});
}
void nytp_writer_end(nytp_writer *w, uint64_t how);

/* Bytes gathered since the last chunk; 8 for each record that went to an outlet. A caller with more than
 * NYTP_WRITER_FULL may close the chunk early: with a group of records or a piece of source more, buffers still stay
 * within 128 kB. */
size_t nytp_writer_pending(const nytp_writer *w);
#define NYTP_WRITER_FULL (96u << 10)

/* Writes the records that have gathered, if any. start and end are the window's, in ticks. Returns an nytp_code. */
enum nytp_code nytp_writer_chunk(nytp_writer *w, int64_t start, int64_t end);

/* Whether nytp_writer_draft may write anything. */
int nytp_writer_drafts(const nytp_writer *w);

/* Writes the records that have gathered since the last chunk as a draft: over an older one, so that the file does not
 * grow. The next draft, or chunk with a window, is to have the same start, a later end and all these records or later
 * ones in their place. 0: the records are still there, for a chunk; there will be room for drafts behind it. Of a ring
 * they are dropped. */
int nytp_writer_draft(nytp_writer *w, int64_t start, int64_t end);

/* Bytes that have been appended, or wait. */
uint64_t nytp_writer_bytes(const nytp_writer *w);

/* What went wrong first, code NYTP_OK if nothing; borrowed until the writer is closed. */
const nytp_error *nytp_writer_error(const nytp_writer *w);

/* Writes the records that have gathered, closes and frees. Takes NULL. Returns the first failure's code; *e is that
 * failure, which may be one of closing. */
enum nytp_code nytp_writer_finish(nytp_writer *w, nytp_error *e);
static inline enum nytp_code nytp_writer_close(nytp_writer *w) { return nytp_writer_finish(w, NULL); }

/* Closes the descriptor without writing or unlocking anything: for a forked child with its parent's writer. */
void nytp_writer_abandon(nytp_writer *w);

#endif
