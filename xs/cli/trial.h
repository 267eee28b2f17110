/* SPDX-License-Identifier: MIT */
/* trial.h - a probe is run bare and under the profiler, in turns, and the profile is compared with what is known. */
#ifndef NYTP_CLI_TRIAL_H
#define NYTP_CLI_TRIAL_H

#include "base/error.h"
#include "cli/probes.h"
#include "cli/rounds.h"

enum nytp_trial_time { NYTP_TRIAL_BARE, NYTP_TRIAL_PROFILED, NYTP_TRIAL_CORRECTED, NYTP_TRIAL_TIMES };

/* Of one part: the events in the profile, or the last number that is wrong; and by rounds the nanoseconds an event
 * took: the CPU time of both runs, and the time that the profile has. Its clock goes on while the run waits for the
 * processor, hence also how long that one waited. */
typedef struct nytp_trial_part {
    int64_t counted;
    double ns[NYTP_TRIAL_TIMES][NYTP_ROUNDS];
    double waited[NYTP_ROUNDS]; /* share of its CPU time */
} nytp_trial_part;

typedef struct nytp_trial {
    char interpreter[64]; /* as the profile says */
    char problem[128];    /* why there are no figures; empty: there are */
    nytp_trial_part parts[NYTP_PROBES_PARTS];
} nytp_trial;

/* Runs the probe. An interpreter that is not there or cannot be profiled is a problem of the trial, and no error.
 * Returns the error's code. */
int nytp_trial_run(nytp_trial *t, const nytp_probe *probe, nytp_error *e);

/* The time of all rounds together; NYTP_ROUNDS_BUSY: no corrected time, as all rounds waited too long. */
double nytp_trial_ns(const nytp_trial_part *part, enum nytp_trial_time time);

#endif
