/* SPDX-License-Identifier: MIT */
/* info_metrics.h - the metrics of a capture and their totals. A part of cmd_info. */
#ifndef NYTP_CLI_INFO_METRICS_H
#define NYTP_CLI_INFO_METRICS_H

#include "base/buf.h"
#include "base/map.h"
#include "model/profile.h"

typedef struct nytp_info_metrics {
    nytp_profile p;   /* with metrics, a row for each kind of thing, and nothing else */
    uint32_t rows[3]; /* of all places, nodes and processes */
    nytp_map known;   /* stream and id to 1 + index of the metric */
    int32_t failed;   /* 1: memory was short */
} nytp_info_metrics; /* all zero: none */

/* Takes a record of metrics of a stream; any other is ignored. */
void nytp_info_metrics_take(nytp_info_metrics *m, const nytp_record *r);

/* Appends a line for each: its name, total, unit and title. */
void nytp_info_metrics_put(nytp_buf *out, const nytp_info_metrics *m);

void nytp_info_metrics_free(nytp_info_metrics *m);

#endif
