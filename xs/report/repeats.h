/* SPDX-License-Identifier: MIT */
/* repeats.h - commands of a build that ran more than once: the same arguments in the same directory. */
#ifndef NYTP_REPORT_REPEATS_H
#define NYTP_REPORT_REPEATS_H

#include "base/buf.h"
#include "model/processes.h"

typedef struct nytp_repeats nytp_repeats;

nytp_repeats *nytp_repeats_make(void); /* NULL without memory */

/* Counts a process that has ended. Commands beyond a quarter of a million are not looked at. */
void nytp_repeats_add(nytp_repeats *r, const nytp_built *process);

/* Appends those whose repetitions have taken the most time; nothing if there are none. */
void nytp_repeats_put(nytp_buf *out, const nytp_repeats *r);

void nytp_repeats_free(nytp_repeats *r); /* takes NULL */

#endif
