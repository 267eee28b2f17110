/* SPDX-License-Identifier: MIT */
/* period.h - a part of a run's time, as users write it. */
#ifndef NYTP_CLI_PERIOD_H
#define NYTP_CLI_PERIOD_H

#include "model/load.h"

/* One end of a period: ns since the run began, or a share of the run, or a mark. All zero: it is missing. */
typedef struct nytp_moment {
    uint64_t ns;
    double share;  /* from 0 to 1 */
    nytp_str mark; /* borrowed */
} nytp_moment;

typedef struct nytp_period {
    nytp_moment from, to;
} nytp_period; /* all zero: the whole run */

/* FROM..TO, where FROM or TO may be missing: seconds, percent or names of marks. Returns 0 if the text is no such
 * period, or if nothing is between its ends. */
int nytp_period_parse(const char *text, nytp_period *period);

/* Sets load->from and load->to. A share or a mark is looked up in the files, which are read for that. Returns an
 * nytp_code. */
int nytp_period_find(const nytp_period *period, const char *const *paths, uint32_t n, nytp_load_options *load,
                     nytp_error *e);

#endif
