/* SPDX-License-Identifier: MIT */
/* output.h - the capture a recorder writes to: its name, its opening lines, its end. */
#ifndef NYTP_RECORD_OUTPUT_H
#define NYTP_RECORD_OUTPUT_H

#include <unistd.h>

#include "record/recorder.h"

/* Opens r->base with the suffixes that the options ask for and writes the opening chunk. Returns an nytp_code. */
int nytp_output_open(nytp_recorder *r, nytp_error *e);

/* Writes the notices that came up since the last call. */
void nytp_output_notices(nytp_recorder *r);

/* The records of the end at that time, process_end and end. */
void nytp_output_put_end(nytp_recorder *r, int64_t ticks);

/* Writes them behind the last window, unless they are in it. The file stays open. */
void nytp_output_end(nytp_recorder *r);

/* Closes the file, if one is open. Reports a failure that was not reported yet. */
void nytp_output_close(nytp_recorder *r);

/* A line for readers of the open output. */
static inline void nytp_output_note(nytp_recorder *r, nytp_str line) { nytp_writer_note(r->output.writer, line); }

/* A notice, once in each output, from the next window on. */
static inline void nytp_output_notice(nytp_recorder *r, enum nytp_notice notice) {
    if (!(r->output.notices & notice)) r->output.notices |= notice;
}

/* Which of the process's streams this is, before an output is open. */
static inline void nytp_output_number(nytp_recorder *r, uint32_t thread) { r->output.stream.thread = thread; }

/* Before an output is open: r is of another thread of the process of `of`. */
void nytp_output_be_thread(nytp_recorder *r, const nytp_recorder *of);

/* The stream's system thread is this one, though it began in another; and this one ends. */
void nytp_output_thread_is_here(nytp_recorder *r);
void nytp_output_thread_ends(nytp_recorder *r);

/* Whether maxsize leaves room for the stream of another thread: one of its own, or one that takes little. */
int nytp_output_has_room(const nytp_recorder *r, int own);

/* A property of the stream, if an output is open. */
static inline void nytp_output_property(nytp_recorder *r, nytp_str key, nytp_str value) {
    if (r->output.writer) nytp_writer_pair(r->output.writer, NYTP_REC_PROPERTY, key, value);
}

/* The path asked for; and the name of the open file, or of the latest one. */
static inline const char *nytp_output_base(const nytp_recorder *r) { return r->output.base; }

static inline const char *nytp_output_name(const nytp_recorder *r) { return r->output.name; }

/* Counts output files; see nytp_live_output.generation. */
static inline uint32_t nytp_output_generation(const nytp_recorder *r) { return r->output.generation; }

/* The store of the job; NULL: there is none. */
static inline nytp_store *nytp_output_store(nytp_recorder *r) { return r->output.store.path ? &r->output.store : NULL; }

/* The process that the profile is of. */
static inline uint32_t nytp_output_pid(const nytp_recorder *r) {
    return r->front.of ? r->front.of : (uint32_t)getpid();
}

/* Moves the names of captures that this process has finished from a recorder that ends to another. */
static inline void nytp_output_hand_over(nytp_recorder *from, nytp_recorder *to) {
    to->output.finished = from->output.finished;
    from->output.finished = (nytp_map){0};
}

#endif
