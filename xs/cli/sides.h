/* SPDX-License-Identifier: MIT */
/* sides.h - profiles of two sides, old and new, as reports on what differs want them: subs, lines and, if asked for,
 * call paths. */
#ifndef NYTP_CLI_SIDES_H
#define NYTP_CLI_SIDES_H

#include "base/error.h"
#include "report/judged.h"
#include "report/lined.h"
#include "report/overlaid.h"

/* What is listed without an option. */
#define NYTP_SIDES_PERCENT 5
#define NYTP_SIDES_NS 10000
#define NYTP_SIDES_PART 1000 /* of the new run: less is not listed in a report */

typedef struct nytp_sides {
    const char *names[2]; /* of nytp_sides_since */
    nytp_compared compared;
    nytp_lined lines;
    nytp_overlaid paths;
    int has_paths; /* given */
} nytp_sides;

/* For so many profiles of each side. NULL and an error if memory is short. */
nytp_sides *nytp_sides_open(const uint32_t n[2], nytp_error *e);

/* Loads n files as the next profile, the old ones first; prints its notes behind the name of the first file. */
void nytp_sides_take(nytp_sides *s, const char *const *paths, uint32_t n, nytp_error *e);

/* When all are taken: judges them. */
void nytp_sides_judge(nytp_sides *s, const nytp_judged_limits *limits, nytp_error *e);

/* What has changed since an old capture, in the profile of n files, which are borrowed. Free the result when *r is no
 * longer used. */
nytp_sides *nytp_sides_since(nytp_compared_request *r, const char *old, const char *const *paths, uint32_t n,
                             nytp_error *e);

void nytp_sides_free(nytp_sides *s); /* takes NULL, too */

#endif
