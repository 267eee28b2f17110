/* SPDX-License-Identifier: MIT */
/* load.h - captures in, a profile out. */
#ifndef NYTP_MODEL_LOAD_H
#define NYTP_MODEL_LOAD_H

#include "model/profile.h"
#include "model/taken.h"

typedef struct nytp_load_options {
    int32_t keep_calls;   /* 1: calls in their order, nytp_process.spans, 24 bytes a call; of captures with calls=2 */
    int32_t keep_stretches; /* 1: what passed when, nytp_profile.stretches; of captures */
    int32_t keep_evals;   /* 1: string evals of one site and text stay apart */
    int32_t keep_processes; /* 1: paths of each process stay apart, below a main program of its own, see root.h */
    int32_t tell_outside; /* 1: time outside statements has entries of its own among the subs, see outside.h */
    int32_t whole;        /* 1: times are whole nanoseconds, see whole.h */
    const nytp_stream_id *only; /* the process to read of captures; NULL: all */
    int32_t raw;          /* 1: times with the profiler's own cost in them */
    uint64_t from, to;    /* a part of the time: windows that end behind `from` and not behind `to`, in ns since the
                             first process of the first capture began; 0: no limit */
    const nytp_taken *since; /* a part: without what was taken by an earlier load of the same captures; or NULL */
    nytp_taken *taken;    /* empty: becomes what was taken by this load and those before; or NULL */
    const char *module_dir;  /* a directory besides those of @INC that modules were found in, absolute; or NULL */
    /* Called now and then with how much of a file has been read, in bytes; or NULL. */
    void (*read)(void *context, const char *path, uint64_t done);
    void *context;
} nytp_load_options;

/* Reads captures and files of Devel::NYTProf's own format 5, in that order, into one profile; "-" is standard input. *p
 * is overwritten and must be closed in any case. Damage does not fail: it becomes a note in the profile and unknown
 * things; a broken file of format 5 is read up to where it breaks (nytp_input.broken). Returns an nytp_code with e set:
 * NYTP_IO, NYTP_FORMAT (not a capture), NYTP_NOMEM. */
enum nytp_code nytp_load(nytp_profile *p, const char *const *paths, uint32_t n, const nytp_load_options *options,
                         nytp_error *e);

#endif
