/* SPDX-License-Identifier: MIT */
/* differences.h - what differs between profiles of two sides, as a text. */
#ifndef NYTP_TERMINAL_DIFFERENCES_H
#define NYTP_TERMINAL_DIFFERENCES_H

#include "report/judged.h"
#include "report/sink.h"

typedef struct nytp_differences_request {
    const nytp_compared *compared; /* judged */
    nytp_judged_limits limits;     /* by which it was judged */
    uint32_t most;                 /* rows of a table */
} nytp_differences_request;

/* Returns an nytp_code: the sink's. */
int nytp_differences_write(const nytp_differences_request *r, nytp_sink *sink);

#endif
