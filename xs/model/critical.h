/* SPDX-License-Identifier: MIT */
/* critical.h - the chain of processes that a build has waited for, as far as times tell.
 *
 * From the end of the outermost process backwards: of the processes directly below it, the one that ended last; before
 * its begin, the one that ended last until then; and so on, likewise below each of these. What must wait for what is
 * known to make only, so this is a guess: the one behind may have waited for a free job, not for the one before. */
#ifndef NYTP_MODEL_CRITICAL_H
#define NYTP_MODEL_CRITICAL_H

#include "model/build.h"

typedef struct nytp_critical {
    uint32_t *processes; /* of the chain, in the order of time: those below which the chain does not go on */
    uint32_t n;
    uint64_t length;     /* ns of these; the rest of the time is of what started them */
} nytp_critical; /* all zero is none */

/* *c is overwritten and must be freed in any case. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_critical_find(nytp_critical *c, const nytp_build *b);

void nytp_critical_free(nytp_critical *c); /* leaves none */

#endif
