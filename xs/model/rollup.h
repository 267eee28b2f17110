/* SPDX-License-Identifier: MIT */
/* rollup.h - sums per line, block and sub of each file, lists per file, and totals. Private to load. */
#ifndef NYTP_MODEL_ROLLUP_H
#define NYTP_MODEL_ROLLUP_H

#include "model/profile.h"

/* Needs the tree's sums. NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_rollup(nytp_profile *p);

#endif
