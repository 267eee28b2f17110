/* SPDX-License-Identifier: MIT */
/* whole.h - a profile in whole nanoseconds, for reports that other programs read: each format sums up the same numbers,
 * by stacks, subs or lines, with processes together or apart, so the totals of all formats are equal. Private to
 * load. */
#ifndef NYTP_MODEL_WHOLE_H
#define NYTP_MODEL_WHOLE_H

#include "model/profile.h"

/* Rounds all times to nanoseconds, which become the ticks. No context has a time below zero, and all together have the
 * rounded total. To be called before the tree is summed up. Returns an nytp_code. */
enum nytp_code nytp_whole_round(nytp_profile *p);

#endif
