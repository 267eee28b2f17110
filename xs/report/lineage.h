/* SPDX-License-Identifier: MIT */
/* lineage.h - the processes of a build as call paths by names.
 *
 * A process is up to three frames below those of the process above: its directory, with a slash behind it, if that is
 * another one; its target, likewise; and its class, which has the value. */
#ifndef NYTP_REPORT_LINEAGE_H
#define NYTP_REPORT_LINEAGE_H

#include "report/classes.h"
#include "report/stacks.h"

enum nytp_lineage_value {
    NYTP_LINEAGE_CPU,  /* ns of CPU time without processes below */
    NYTP_LINEAGE_REAL, /* ns of real time in which no process directly below ran */
    NYTP_LINEAGE_COUNT /* processes */
};

/* Names have the same numbers for each kind of value. Not sorted yet; s is to be freed in any case. Returns an
 * nytp_code. */
int nytp_lineage_make(nytp_stacks *s, const nytp_build *b, const nytp_classes *c, enum nytp_lineage_value value);

#endif
