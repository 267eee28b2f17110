/* SPDX-License-Identifier: MIT */
/* loader.h - shared by the loaders of both formats: the profile being built. Private to load. */
#ifndef NYTP_MODEL_LOADER_H
#define NYTP_MODEL_LOADER_H

#include "model/intern.h"
#include "model/load.h"
#include "model/shares.h"
#include "model/stream.h"

#define NYTP_LOADER_GAPS 250000u /* the most missing lines of source before existing ones, in all files */

typedef struct nytp_loader {
    nytp_profile *p;
    nytp_error *e;
    nytp_intern in;
    nytp_table processes, pairs, named; /* index + 1 */
    uint32_t gaps;             /* rest of NYTP_LOADER_GAPS */
    nytp_stream *streams; /* of the capture being read */
    uint32_t streams_n, streams_room;
    nytp_stream_id clock_of; /* the process whose clock the profile uses */
    int32_t clock_known;
    uint32_t rooted;    /* 1 + index of the process whose main program is NYTP_ROOT; 0: none yet */
    int32_t is_sampled, is_seen; /* 1: a stream is, see stream.h */
    nytp_shares shares;          /* of streams whose lines were seen */
    nytp_map wanted;    /* keys of texts, as numbers, to index + 1 of the file that has no other source (stored.h) */
    nytp_str store;     /* the latest store that was read */
    const nytp_load_options *options;
    const char *path;                /* of the input */
    uint32_t writer;                 /* its process, if that still ran before reading began; or 0 */
    uint64_t origin;   /* when the first process of captures began, ns since the epoch; 0: none has */
    int64_t first, last, latest; /* of a part, see range.h: its windows' time and the end of all windows, since then */
    uint64_t windows;            /* their number */
    int32_t is_less;             /* 1: a draft is read that counts less */
    int32_t has_texts, has_captures, has_builds; /* 1: the input has texts; records of a process; of a build */
} nytp_loader;

/* All return NYTP_OK, or what no_memory returns; those with a pointer NULL then. */
enum nytp_code nytp_loader_no_memory(nytp_loader *l);
enum nytp_code nytp_loader_begin(nytp_loader *l); /* makes the entries for the main program and for lost definitions */
nytp_input *nytp_loader_input(nytp_loader *l, const char *path);
nytp_process *nytp_loader_process(nytp_loader *l, const nytp_stream_id *id);
enum nytp_code nytp_loader_damage(nytp_loader *l, const char *path, const nytp_rec_damage *d); /* of the latest input */
/* The process of a stream, which is one though its captures are several files; made if it is new. */
nytp_process *nytp_loader_process_of(nytp_loader *l, const nytp_stream_id *id);
uint64_t nytp_loader_owner(const nytp_stream_id *id); /* identifies it; never 0 */
enum nytp_code nytp_loader_pair(nytp_loader *l, uint32_t process, uint32_t kind, nytp_str key, nytp_str value);

/* Lines and ids beyond 32 bits do not occur; a hostile profile's are pushed to the end. The greatest number is
 * NYTP_LINE_UNKNOWN, and the end of loops over lines. */
static inline uint32_t nytp_loader_narrow(uint64_t v) { return v < UINT32_MAX ? (uint32_t)v : UINT32_MAX - 1; }

/* Adds a line of source, unless the line is known or there are too many. */
enum nytp_code nytp_loader_line(nytp_loader *l, nytp_file *f, uint32_t line, nytp_str text);

/* Adds the lines of a source record. */
enum nytp_code nytp_loader_text(nytp_loader *l, nytp_file *f, const nytp_rec_source *r);

/* From a process's ticks to the profile's, 0 when they are the same; the first clock becomes the profile's. rate > 0 */
double nytp_loader_scale(nytp_loader *l, const nytp_stream_id *id, uint64_t rate);

/* Says how much of the input has been read, in bytes. */
static inline void nytp_loader_progress(const nytp_loader *l, uint64_t done) {
    if (l->options->read) l->options->read(l->options->context, l->path, done);
}

/* Tells processes that still run from those that were killed, once all are loaded. */
void nytp_loader_running(const nytp_profile *p);

/* Gives every file its fid, once all are loaded. */
enum nytp_code nytp_loader_number(nytp_loader *l);

#endif
