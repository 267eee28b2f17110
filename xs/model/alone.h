/* SPDX-License-Identifier: MIT */
/* alone.h - real time of the processes of a build in which no process directly below them ran: what they have done
 * themselves, beside waiting. */
#ifndef NYTP_MODEL_ALONE_H
#define NYTP_MODEL_ALONE_H

#include "model/build.h"

/* ns by process, to be freed; NULL when memory is short. */
int64_t *nytp_alone_times(const nytp_build *b);

#endif
