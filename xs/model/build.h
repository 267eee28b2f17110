/* SPDX-License-Identifier: MIT */
/* build.h - all processes of a build in memory, as plain arrays. A report that looks at each process once, in the order
 * of time, reads processes.h instead, whose memory is that of the processes that run. */
#ifndef NYTP_MODEL_BUILD_H
#define NYTP_MODEL_BUILD_H

#include "base/arena.h"
#include "model/processes.h"

#define NYTP_BUILD_NONE UINT32_MAX

/* CPU time, memory and so on are 0 if the end is not known. Texts are indexes of nytp_build.texts: equal texts have one
 * index, and 0 is the empty one. */
typedef struct nytp_build_process {
    int64_t began, ended;  /* ns since the epoch; without a known end the time of the capture's last record */
    uint64_t user_us, system_us; /* with the children that it has waited for */
    uint64_t own_user_us, own_system_us; /* without processes of the build directly below it; at least 0 */
    uint64_t max_rss_kb, minor_faults, major_faults, blocks_in, blocks_out, switches, forced_switches;
    uint64_t pid;
    uint64_t start;        /* of its host's clock: identifies it, see processes.h */
    uint64_t words, cut;   /* number of arguments, and bytes that command lacks */
    uint32_t serial;       /* number of processes of this pid and host that ended before it began */
    uint32_t parent;       /* index of the process above, which is less than its own; or NYTP_BUILD_NONE */
    uint32_t depth;        /* number of processes above */
    uint32_t children;     /* directly below */
    uint32_t level;        /* make's own for it, MAKELEVEL */
    uint32_t status;       /* as in nytp_rec_exit */
    uint32_t host, directory, target;
    uint32_t command;      /* arguments, each with a NUL behind it */
    int32_t has_end;       /* 1: its end is known */
    int32_t is_exceeded;   /* 1: its children have used more than it: it did not wait for all of them */
} nytp_build_process;

typedef struct nytp_build {
    nytp_str path;         /* of the capture */
    nytp_build_process *processes; /* in the order of their begin */
    nytp_str *texts;       /* NUL-terminated */
    uint32_t n, texts_n;
    int64_t first, last;   /* the earliest begin and the latest time */
    uint64_t failed, killed, left, exceeded; /* numbers of processes: left ones have no known end */
    uint64_t own_user_us, own_system_us;  /* sums: the build's CPU time, each second once */
    nytp_processes_counts counts; /* of what is missing, and of what has recorded */
    nytp_str *notes;       /* what is missing, a sentence each, for people */
    uint32_t notes_n;

    /* Private to build.c. */
    nytp_arena arena;
    uint32_t processes_room, texts_room, notes_room;
} nytp_build;

/* 1 if the file begins like the capture of a build; 0 for any other, one that cannot be read, and what is no file.
 * Memory that is short is set in e. */
int nytp_build_is(const char *path, nytp_error *e);

/* Reads a capture. *b is overwritten and must be freed in any case. Damage does not fail: it becomes a note. Returns an
 * nytp_code with e set: NYTP_IO, NYTP_FORMAT (not the capture of a build), NYTP_NOMEM. */
enum nytp_code nytp_build_load(nytp_build *b, const char *path, nytp_error *e);

/* A process as the functions on nytp_built want it; its parent is not in it. Borrowed from b. */
nytp_built nytp_build_view(const nytp_build *b, const nytp_build_process *process);

void nytp_build_free(nytp_build *b); /* leaves an empty build */

#endif
