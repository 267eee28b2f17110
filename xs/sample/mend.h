/* SPDX-License-Identifier: MIT */
/* mend.h - makes the innermost frames of a stack those of the statement that ran.
 *
 * A look takes longer than a short call, so its parts are of different moments: the stack may end with a sub that was
 * entered later, or has been left. The statement is one word, of one moment, and its tree tells the sub. So frames
 * further in than that sub are dropped; a sub that is missing is added, with the callers it was seen with, or as the
 * contexts above the current one have it. The time in which perl enters a sub is that sub's, as in an exact profile,
 * though the statement is still the caller's. No look is dropped: short calls would be left out with it. */
#ifndef NYTP_SAMPLE_MEND_H
#define NYTP_SAMPLE_MEND_H

#include "sample/trees.h"

typedef struct nytp_met { /* the latest from that code to that sub */
    uint64_t root;
    nytp_frame sub, caller;
} nytp_met;

typedef struct nytp_mender {
    nytp_trees trees;
    nytp_map by_root, by_caller; /* 1 + index in calls: the latest of a sub, and that from some code */
    nytp_met *calls;
    uint32_t n, room;
} nytp_mender; /* all zero but trees.target, at first */

/* The stack of the latest look (nytp_unwind). It may look again, for a sub not met before, and keep the moment. 0: the
 * stack was lost with that. */
int nytp_mend(nytp_mender *m, nytp_stack *s);

void nytp_mender_free(nytp_mender *m);

#endif
