/* SPDX-License-Identifier: MIT */
/* coarse.h - times by a clock that counts ticks, each of many events: their error. */
#ifndef NYTP_MODEL_COARSE_H
#define NYTP_MODEL_COARSE_H

#include "model/profile.h"

/* Private to load, behind the sums: a tick counts as a sample, and the error of whole ticks is added to the spreads of
 * lines, files, subs and edges. A sum of n ticks is as exact as one of n samples: within twice the root of n. So a time
 * of up to four ticks cannot be told from zero. */
void nytp_coarse_tell(nytp_profile *p);

#endif
