/* SPDX-License-Identifier: MIT */
/* jobs.h - how many jobs of a build ran at a time. A job is a process below another one while no process below itself
 * runs: make is none while its recipes run. */
#ifndef NYTP_MODEL_JOBS_H
#define NYTP_MODEL_JOBS_H

#include "model/build.h"

typedef struct nytp_jobs_step {
    int64_t at;       /* from this time to that of the next step */
    uint32_t running; /* so many jobs ran */
} nytp_jobs_step;

typedef struct nytp_jobs {
    nytp_jobs_step *steps; /* in the order of time; the last one has the end of all */
    uint64_t *time;        /* ns by number of running jobs, up to most */
    uint32_t n, most;
    uint32_t limit;        /* of make -j or ninja -j; 0: none was seen */
    double mean;           /* over the time from first to last */
    uint64_t work;         /* ns of all jobs */
} nytp_jobs; /* all zero is none */

/* *jobs is overwritten and must be freed in any case. Returns NYTP_OK or NYTP_NOMEM. */
enum nytp_code nytp_jobs_count(nytp_jobs *jobs, const nytp_build *b);

void nytp_jobs_free(nytp_jobs *jobs); /* leaves none */

#endif
