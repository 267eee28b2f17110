/* SPDX-License-Identifier: MIT */
/* profiled.h - the list of captures of programs that a build has run. */
#ifndef NYTP_REPORT_PROFILED_H
#define NYTP_REPORT_PROFILED_H

#include "base/buf.h"
#include "model/captured.h"

#define NYTP_PROFILED_LISTED 10

typedef struct nytp_profiled {
    const nytp_captures *captures;
    struct {
        double seconds; /* of the process */
        const nytp_captured *capture;
    } lines[NYTP_PROFILED_LISTED]; /* the longest first */
    uint64_t n; /* also those that are not listed */
} nytp_profiled; /* the captures, and all else zero */

/* Takes an event of nytp_processes_next. */
void nytp_profiled_take(nytp_profiled *p, int event, const nytp_built *process);

/* Appends the list, nothing if there is no capture. */
void nytp_profiled_put(nytp_buf *out, const nytp_profiled *p);

#endif
