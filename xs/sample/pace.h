/* SPDX-License-Identifier: MIT */
/* pace.h - when the next sample is: at random moments, so that no periodic program is in step with them, and less often
 * while the program waits. All times are nanoseconds of CLOCK_MONOTONIC. */
#ifndef NYTP_SAMPLE_PACE_H
#define NYTP_SAMPLE_PACE_H

#include <stdint.h>

typedef struct nytp_pace {
    int64_t period;     /* while the program runs */
    int64_t apart;      /* samples are so far apart now: `period`, or more while it waits */
    int64_t next;       /* the next sample is due then */
    int64_t idle_since; /* nothing has moved since then; 0: something has */
    uint64_t random;    /* state */
} nytp_pace;

/* hz is 1 or more; seed is any number. */
void nytp_pace_begin(nytp_pace *p, int64_t hz, uint64_t seed, int64_t now);

/* Plans the next sample, after one at `now` that found something moved or not. */
void nytp_pace_plan(nytp_pace *p, int64_t now, int is_idle);

#endif
