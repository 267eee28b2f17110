/* SPDX-License-Identifier: MIT */
/* family.h - the captures of a running program: its FILEs, and FILE.PID of each process below it, of which new ones
 * appear and others are complete.
 *
 * A server that starts a process for each request has as many captures in a day, so one that is complete and was taken
 * is forgotten as soon as its time of change tells it from new ones. */
#ifndef NYTP_CLI_FAMILY_H
#define NYTP_CLI_FAMILY_H

#include <time.h>

#include "model/taken.h"

typedef struct nytp_member {
    char *path;
    nytp_taken taken;  /* of it */
    double left;       /* seconds of it that were not taken when it was last read */
    int32_t has_ended; /* 1: none of its processes ran any more when it had been read */
    int32_t is_last;   /* 1: nor did one before it was read */
    int32_t is_done;   /* 1: it is complete, and all was taken; or it cannot be read */
    struct timespec done; /* when it became so; a change after that is another process's of that number */
    int32_t is_found;  /* 1: by the latest look */
} nytp_member;

typedef struct nytp_family {
    const char *const *files; /* the FILEs; borrowed, as is the array */
    uint32_t files_n;
    struct timespec begin, since; /* of the family; and of the latest look, by the clock of file times */
    int32_t is_fresh;     /* 1: FILEs from before the begin are of an earlier run, too */
    nytp_member *members; /* owned, as all in it */
    uint32_t n, room;
} nytp_family;

/* An empty one of the program that began then, in ns since the epoch; 0: this is not known, the family begins now, and
 * FILEs may be older. */
void nytp_family_begin(nytp_family *f, const char *const *files, uint32_t files_n, uint64_t began);

/* Looks for members: FILEs, and FILE.PID that have been written since the family began or whose process still runs.
 * Files that are empty do not exist yet. Drops those that were removed, and forgets those that are done.
 * Returns NYTP_OK or NYTP_NOMEM with e set. */
enum nytp_code nytp_family_look(nytp_family *f, nytp_error *e);

/* 1: it is one of the FILEs. */
int nytp_family_is_file(const nytp_family *f, const nytp_member *m);

/* There is no more to read of it. */
void nytp_family_done(nytp_member *m);

void nytp_family_end(nytp_family *f); /* frees all of it */

#endif
