/* SPDX-License-Identifier: MIT */
/* follow.h - sends growing profiles as deltas, until their processes have ended: each capture of a family by itself, as
 * each has a program, a host and a time of its own.
 *
 * The capture itself is the queue: what could not be sent is part of the next delta, so nothing is held in memory
 * between two of them but how far the capture was taken (model/taken.h). */
#ifndef NYTP_CLI_FOLLOW_H
#define NYTP_CLI_FOLLOW_H

#include "cli/send.h"

#define NYTP_FOLLOW_TRIES 3 /* more, of a profile that no other one follows */

typedef struct nytp_follow {
    const char *const *paths;
    uint32_t paths_n;
    const nytp_send *send;
    const nytp_named *named;
    double every;  /* seconds */
    uint32_t process; /* while that process runs there may be new captures; 0: while one of those there are runs */
} nytp_follow;

/* Returns an exit code: NYTP_CLI_FAILURE if a part of the profile was not sent, which messages have told. */
int nytp_follow_run(const nytp_follow *f);

/* How long to wait before one of these: 1, 2 and 4 s, or less if the interval is less. */
double nytp_follow_pause(const nytp_follow *f, uint32_t tries);

/* Returns earlier at a signal. */
void nytp_follow_sleep(double seconds);

#endif
