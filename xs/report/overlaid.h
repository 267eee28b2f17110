/* SPDX-License-Identifier: MIT */
/* overlaid.h - the call paths of profiles of two sides, old and new, by the names of subs: the input of a differential
 * flame graph. */
#ifndef NYTP_REPORT_OVERLAID_H
#define NYTP_REPORT_OVERLAID_H

#include "report/judged.h"
#include "report/sink.h"
#include "report/stacks.h"

typedef struct nytp_overlaid {
    nytp_stacks stacks;
    int64_t (*values)[2]; /* by node and side: exclusive ns, summed over the profiles of the side */
    uint32_t values_n, values_room;
} nytp_overlaid; /* all zero is empty */

/* Adds a profile, whose times are whole nanoseconds, to a side; names of the old side are renamed. Returns NYTP_OK or
 * NYTP_NOMEM. */
int nytp_overlaid_take(nytp_overlaid *o, int side, const nytp_profile *p, const nytp_renamed *renamed);

/* Lines "main::f;main::g OLD NEW": means of both sides in ns, the paths with most time first. As
 * nytp_report.write_compared, of a request with paths. */
int nytp_overlaid_write(const nytp_compared_request *r, nytp_sink *sink);

void nytp_overlaid_free(nytp_overlaid *o); /* leaves none */

#endif
