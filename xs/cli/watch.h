/* SPDX-License-Identifier: MIT */
/* watch.h - captures that grow while they are looked at: the profile up to now. */
#ifndef NYTP_CLI_WATCH_H
#define NYTP_CLI_WATCH_H

#include "base/arena.h"
#include "base/error.h"
#include "model/profile.h"

typedef struct nytp_watched { /* what a file was like when it was read */
    int64_t size, mtime;
    uint64_t inode;
} nytp_watched;

typedef struct nytp_watch {
    const char *const *paths;
    uint32_t paths_n;
    nytp_arena names;
    nytp_watched *files;     /* by path */
    nytp_profile profile;
    double asked;            /* seconds at the end of the run that it is about; 0: all of it */
    double took;             /* seconds of CPU, to read it */
    double seconds;          /* of the run that it is about */
    int32_t has_profile;
} nytp_watch; /* all zero before it is begun */

/* The arguments are captures, or the number of a process that writes one. An nytp_code with e set. */
enum nytp_code nytp_watch_begin(nytp_watch *w, const char *const *arguments, uint32_t n, nytp_error *e);

/* Reads the captures if they have changed, for so many seconds at the end of the run; 0: for all of it. 1: there is
 * another profile. 0: there is not; an error in e leaves the profile before. */
int nytp_watch_read(nytp_watch *w, double seconds, nytp_error *e);

/* "main.pl (process 4711 and 3 more), last 10 s, 0.4 s ago", escaped: how old the last data is. */
void nytp_watch_title(nytp_buf *out, const nytp_watch *w);

void nytp_watch_end(nytp_watch *w);

#endif
