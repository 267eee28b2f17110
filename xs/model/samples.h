/* SPDX-License-Identifier: MIT */
/* samples.h - a sampled profile: what its numbers are worth. */
#ifndef NYTP_MODEL_SAMPLES_H
#define NYTP_MODEL_SAMPLES_H

#include "model/profile.h"

/* Samples a second, as was asked for; 0: the program was not sampled, or that is not known. And their distance, in
 * nanoseconds. */
uint32_t nytp_samples_rate(const nytp_profile *p);
uint64_t nytp_samples_period(const nytp_profile *p);

/* Private to load: what shares of n samples are worth, a sentence. */
#define NYTP_SAMPLES_WORTH 80 /* bytes that it may have */
void nytp_samples_worth(int64_t n, char worth[NYTP_SAMPLES_WORTH]);

/* Private to load. Says in the estimate and the notes that nothing was counted, and how far shares are right. An
 * nytp_code. */
enum nytp_code nytp_samples_tell(nytp_profile *p);

#endif
