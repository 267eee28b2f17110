/* SPDX-License-Identifier: MIT */
/* receivers.h - the kinds of servers that take profiles, a row each: how a request to one looks. */
#ifndef NYTP_CLI_RECEIVERS_H
#define NYTP_CLI_RECEIVERS_H

#include "cli/delta.h"

typedef struct nytp_receiver {
    const char *name; /* for --to; NULL ends the table */
    const char *path; /* with which the path of a URL ends that is one of this kind; the path of a URL without one */
    const char *type; /* of the body */
    void (*put_query)(nytp_buf *out, const nytp_delta *d); /* appends NAME=VALUE&...; NULL: there is none */
    void (*put_body)(nytp_buf *out, const nytp_delta *d);
    int32_t is_experimental; /* 1: what it wants changes between its releases */
} nytp_receiver;

extern const nytp_receiver nytp_receivers[];

#define NYTP_RECEIVERS_NAMES "pyroscope pyroscope-push parca datadog otlp" /* of all, for --to */

/* The row of that name, or with name NULL that of a URL's target (http.h); NULL: there is none. */
const nytp_receiver *nytp_receivers_find(const char *name, const char *target);

/* Appends path and query of a request to a target, with a NUL behind them that n counts. */
void nytp_receivers_target(nytp_buf *out, const nytp_receiver *r, const char *target, const nytp_delta *d);

#endif
