/* SPDX-License-Identifier: MIT */
/* period.h - a part of a run's time, as users write it. */
#ifndef NYTP_CLI_PERIOD_H
#define NYTP_CLI_PERIOD_H

#include <stdint.h>

/* FROM..TO in seconds, where FROM or TO may be missing, as nanoseconds; 0: it is missing. Returns 0 if the text is no
 * such range, or if nothing is between its ends. */
int nytp_period_parse(const char *text, uint64_t *from, uint64_t *to);

#endif
