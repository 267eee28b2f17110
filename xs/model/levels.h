/* SPDX-License-Identifier: MIT */
/* levels.h - for how long how many recipes of a build ran at a time, and what another -j could give. */
#ifndef NYTP_MODEL_LEVELS_H
#define NYTP_MODEL_LEVELS_H

#include <stdint.h>

#define NYTP_LEVELS 65 /* the last one is of all larger numbers, too */

typedef struct nytp_levels {
    double seconds[NYTP_LEVELS]; /* by the number at a time */
    double work;                 /* seconds of all recipes */
    double beyond;               /* of it at the last level */
    double longest;              /* seconds of the longest recipe; set by the caller */
    uint64_t most;               /* at a time */
} nytp_levels; /* all zero: no time yet */

/* So many ran for so long. */
void nytp_levels_add(nytp_levels *l, uint64_t number, double seconds);

double nytp_levels_seconds(const nytp_levels *l); /* of all levels */

/* Seconds that the build would take at least with `jobs` at a time (1 or more): if each recipe took as long as it did,
 * and there was more to run only while the largest number ran. It is no less than the longest recipe. */
double nytp_levels_bound(const nytp_levels *l, uint64_t jobs);

#endif
