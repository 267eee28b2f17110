/* SPDX-License-Identifier: MIT */
/* pace.c - the period, its half or up to one and a half, and an eighth of the time that a wait has lasted. Moments
 * that have been missed are left out: a look at once would be one more of the moment at which the late one came. */
#include "sample/pace.h"

#define SECOND INT64_C(1000000000)
#define SHARE 8                  /* a wait is noticed to have ended when it was an eighth longer, ... */
#define LONGEST (SECOND / 8)     /* ... or so much later, unless the period is longer */
#define LATE 10                  /* periods behind what was planned: it is planned afresh */

void nytp_pace_begin(nytp_pace *p, int64_t hz, uint64_t seed, int64_t now) {
    *p = (nytp_pace){.period = SECOND / hz, .random = seed | 1};
    nytp_pace_plan(p, now, 0);
}

/* Marsaglia's xorshift. */
static uint64_t random_of(nytp_pace *p) {
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    return p->random ^= p->random << 17;
}

static int64_t period_of(const nytp_pace *p, int64_t now) {
    int64_t idle = p->idle_since ? (now - p->idle_since) / SHARE : 0;
    if (idle > LONGEST) idle = LONGEST;
    return idle > p->period ? idle : p->period;
}

void nytp_pace_plan(nytp_pace *p, int64_t now, int is_idle) {
    if (!is_idle) p->idle_since = 0;
    else if (!p->idle_since) p->idle_since = now;
    int64_t period = period_of(p, now);
    if (now - p->next > LATE * p->period || p->next > now) p->next = now;
    do p->next += period / 2 + (int64_t)(random_of(p) % ((uint64_t)period + 1));
    while (p->next <= now);
    p->apart = period;
}
