/* SPDX-License-Identifier: MIT */
/* rounds.h - one time out of those of several rounds, on a machine that also runs other programs. */
#ifndef NYTP_CLI_ROUNDS_H
#define NYTP_CLI_ROUNDS_H

#define NYTP_ROUNDS 11
#define NYTP_ROUNDS_BUSY (-1.0)

/* The lower quartile, for CPU times: other programs make some of them longer. */
double nytp_rounds_quartile(const double ns[NYTP_ROUNDS]);

/* The same for times of a clock that goes on while a program waits for the processor: of the half of all rounds that
 * waited least. `waited` has how long each did, as a share of its CPU time. At least 0; NYTP_ROUNDS_BUSY: all rounds
 * waited too long to tell. */
double nytp_rounds_calm(const double ns[NYTP_ROUNDS], const double waited[NYTP_ROUNDS]);

#endif
