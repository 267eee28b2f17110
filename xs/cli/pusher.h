/* SPDX-License-Identifier: MIT */
/* pusher.h - a process beside the program that sends its captures: `nytprof push --follow --while PROGRAM`.
 *
 * It is no child of the program, has a session of its own and none of the program's descriptors, and writes what it has
 * to say into a file. So the program's waits, signals, terminal and pipes are what they are without it. */
#ifndef NYTP_CLI_PUSHER_H
#define NYTP_CLI_PUSHER_H

#include "base/error.h"

typedef struct nytp_pusher {
    const char *url;
    const char *service, *labels; /* as the options of push, or NULL */
} nytp_pusher;

/* Tells before a run what of these makes no sense. Returns NYTP_OK, or NYTP_USAGE or NYTP_NOMEM with e set. */
enum nytp_code nytp_pusher_check(const nytp_pusher *p, nytp_error *e);

/* Starts it for the captures FILE and FILE.PID of this process, which becomes the program. Returns NYTP_OK or NYTP_IO
 * with e set. */
enum nytp_code nytp_pusher_start(const nytp_pusher *p, const char *file, nytp_error *e);

#endif
