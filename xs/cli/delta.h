/* SPDX-License-Identifier: MIT */
/* delta.h - what is sent to a server of profiles: a part of a profile as pprof, its time, and what names it. */
#ifndef NYTP_CLI_DELTA_H
#define NYTP_CLI_DELTA_H

#include "base/buf.h"
#include "base/error.h"
#include "model/taken.h"
#include "report/sink.h"

#define NYTP_DELTA_LABELS 16

typedef struct nytp_label {
    nytp_buf name, value; /* each with a NUL behind it that n does not count */
} nytp_label;

/* What users say of the program. */
typedef struct nytp_named {
    const char *service; /* NULL: the program's name */
    nytp_buf host;       /* the label of that name, as in nytp_label; empty: the host's own */
    nytp_label labels[NYTP_DELTA_LABELS];
    uint32_t labels_n;
} nytp_named;

typedef struct nytp_delta {
    nytp_sink *sink;      /* owns profile */
    nytp_str profile;     /* pprof, deflated */
    nytp_str service;     /* in text, as the next */
    nytp_str host, family; /* of the first process, and its language: perl, lua, ruby */
    const nytp_named *named;
    const char *metric;   /* what it is a profile of: process_cpu or wall */
    uint64_t begin, end;  /* ns since the epoch */
    uint32_t rate;        /* samples a second; 0: it was not sampled */
    char id[37], run[37]; /* UUIDs of it, the same if it is made again, and of the program's run */
    int32_t is_empty;     /* 1: there is nothing new */
    int32_t is_running;   /* 1: a process of it runs */
    nytp_buf text;
} nytp_delta;

/* Reads NAME=VALUE:NAME=VALUE into labels. Names are letters, digits and _; they do not begin with __, as names that
 * servers give, and differ from each other and from service and service_name. Returns NYTP_OK, or with e set NYTP_USAGE
 * or NYTP_NOMEM. */
enum nytp_code nytp_delta_labels(nytp_named *named, const char *text, nytp_error *e);
void nytp_delta_labels_free(nytp_named *named);

/* Makes it of what captures have that was not taken before; *taken becomes what is taken with it. since and taken may
 * be NULL: all is. Must be freed in any case. Returns an nytp_code with e set. */
enum nytp_code nytp_delta_make(nytp_delta *d, const char *const *paths, uint32_t n, const nytp_named *named,
                               const nytp_taken *since, nytp_taken *taken, nytp_error *e);

void nytp_delta_free(nytp_delta *d);

#endif
