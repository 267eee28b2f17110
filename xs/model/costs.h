/* SPDX-License-Identifier: MIT */
/* costs.h - on which lines a sub spent its own time.
 *
 * A statement's time is that of its place, and a call's that of its node; no record has both. So a place's time belongs
 * to the sub with its line, after the time of callees without statements of their own (written in C, built-in, empty):
 * it is in the calling statement's, too. What lines have more than the sub is scaled down; what they have less, such as
 * the time of the call itself, is on the sub's first line. */
#ifndef NYTP_MODEL_COSTS_H
#define NYTP_MODEL_COSTS_H

#include "model/profile.h"

typedef struct nytp_cost {
    uint32_t sub;
    uint32_t file, line; /* 0 0: no line; a file other than the sub's has code that it ran: an eval's, a module's */
    int64_t count;       /* statements executed; all add up to those of the profile's places */
    int64_t ticks;       /* those of a sub's rows add up to its exclusive time, exactly. Below 0 only on its first line
                            and if its exclusive time, or a correction of it, is */
} nytp_cost;

typedef struct nytp_costs {
    nytp_arena arena;
    nytp_cost *at;   /* by sub, file and line, each once; never NULL */
    uint32_t *first; /* per sub, and one more: its first row */
    uint32_t n;
} nytp_costs; /* all zero: none */

/* Fills empty costs from a loaded profile. Without statements (stmts=0) a sub has one row, its first line. Returns an
 * nytp_code; to be freed in any case. */
enum nytp_code nytp_costs_find(nytp_costs *c, const nytp_profile *p);

void nytp_costs_free(nytp_costs *c);

#endif
