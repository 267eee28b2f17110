/* SPDX-License-Identifier: MIT */
/* period.c - FROM..TO, two decimal numbers. */
#include "cli/period.h"

#include <string.h>

#include "base/ticks.h"

#define MOST 9000000000u /* seconds */

/* Steps over digits and a fraction of which nanoseconds are kept. Returns 0 if the number is too large. */
static int take_seconds(const char **at, uint64_t *ns) {
    uint64_t whole = 0, part = 0, unit = NYTP_NANOSECONDS;
    for (; **at >= '0' && **at <= '9' && whole < MOST; (*at)++) whole = whole * 10 + (uint64_t)(**at - '0');
    if (**at == '.' && (*at)[1] >= '0' && (*at)[1] <= '9')
        for ((*at)++; **at >= '0' && **at <= '9'; (*at)++) part += (uint64_t)(**at - '0') * (unit /= 10);
    *ns = whole * NYTP_NANOSECONDS + part;
    return whole < MOST;
}

int nytp_period_parse(const char *text, uint64_t *from, uint64_t *to) {
    if (!take_seconds(&text, from) || strncmp(text, "..", 2) != 0) return 0;
    text += 2;
    int has_end = *text != 0;
    return take_seconds(&text, to) && !*text && (has_end ? *from < *to : *from > 0);
}
