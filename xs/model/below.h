/* SPDX-License-Identifier: MIT */
/* below.h - what a profile has below some subs, for option --from of reports that are no call paths. */
#ifndef NYTP_MODEL_BELOW_H
#define NYTP_MODEL_BELOW_H

#include "model/profile.h"

/* Leaves of the profile's contexts those of the subs with from[sub] set and all below these, and sums up subs and edges
 * again; the direct callers of the subs stay, as callers only. Sets from[sub] of every sub that is left. Lines and
 * totals are those of the whole run, and so are the times of what is left. Returns an nytp_code. */
enum nytp_code nytp_below_keep(nytp_profile *p, unsigned char *from);

#endif
