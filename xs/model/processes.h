/* SPDX-License-Identifier: MIT */
/* processes.h - the processes of a build, begin by begin and end by end, in the order of time.
 *
 * Memory is that of the processes that run at a time, whatever the length of the capture. Records that are out of order
 * by up to a thousand are put in order. */
#ifndef NYTP_MODEL_PROCESSES_H
#define NYTP_MODEL_PROCESSES_H

#include "base/error.h"
#include "capture/format.h"

typedef struct nytp_built {
    uint64_t pid;
    uint64_t start;   /* of the clock of its host: identifies it in the build, and in captures of what it has run */
    uint64_t serial;  /* number of processes of this pid and host that ended before it began */
    uint64_t level, words, cut; /* as in nytp_rec_process */
    nytp_str host, directory, target;
    nytp_str command;   /* arguments, each with a NUL behind it */
    int64_t began, ended; /* ns since the epoch; of a process whose end is not known the time of the latest record */
    nytp_rec_exit used; /* when it has ended; with its children */
    int64_t early;      /* ns by which its end was before its begin, which no clock should say; 0 */
    uint64_t children_us; /* CPU time in used that is that of processes of the build */
    struct nytp_built *parent; /* the process above, if it still runs; it may be one of another host */
    uint32_t number;    /* of processes that began before it */
    uint32_t depth;     /* number of processes above */
    uint32_t running;   /* number of processes below it, directly, that run */
    uint32_t children;  /* and of all that have begun */
    uint32_t watched;   /* number of makes and the like that it is or that it has run, and in which we were */

    /* Private to processes.c. */
    uint32_t host_number;
    struct nytp_built *before, *behind; /* in the list of those that run */
} nytp_built;

enum nytp_processes_event {
    NYTP_PROCESSES_END = 0, /* of the capture */
    NYTP_PROCESSES_BEGAN,
    NYTP_PROCESSES_ENDED,
    NYTP_PROCESSES_LEFT /* at the capture's end, or for want of memory: its end is not known */
};

enum {
    NYTP_PROCESSES_LAUNCHER,
    NYTP_PROCESSES_PRELOAD,
    NYTP_PROCESSES_WRAPPER,
    NYTP_PROCESSES_IMPORT, /* another program, by `nytprof import` */
    NYTP_PROCESSES_RECORDERS
};

typedef struct nytp_processes nytp_processes;

/* Opens a capture. NULL with e set. */
nytp_processes *nytp_processes_open(const char *path, nytp_error *e);

/* The next event and its process, which lives until the call behind its end. -1 with e set if reading has failed. */
int nytp_processes_next(nytp_processes *p, nytp_built **process, nytp_error *e);

typedef struct nytp_processes_counts {
    uint64_t streams[NYTP_PROCESSES_RECORDERS]; /* by what has recorded them */
    uint64_t ends;     /* ends of processes that were not seen to begin */
    uint64_t parents;  /* processes whose parent is not known */
    uint64_t disordered; /* processes of a command's own capture that began before an event already given: captures were
                          * written one behind the other instead of merged, and processes above have ended by then */
    uint64_t early;    /* processes that have ended before they began, by their clock */
    uint64_t damaged;  /* bytes that could not be read */
    uint64_t hosts;    /* that were named */
    uint64_t forward_ns; /* most by which a host's times were set forward, as its clock was behind that of a host whose
                         * process has started one of its own */
} nytp_processes_counts;

/* So far. */
const nytp_processes_counts *nytp_processes_count(const nytp_processes *p);

void nytp_processes_close(nytp_processes *p); /* takes NULL */

/* Seconds between two times, in ns since the epoch: their own values have more digits than a double. */
static inline double nytp_seconds_between(int64_t from, int64_t to) {
    return to < from ? -1e-9 * (double)((uint64_t)from - (uint64_t)to) : 1e-9 * (double)((uint64_t)to - (uint64_t)from);
}

#endif
