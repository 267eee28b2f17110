/* SPDX-License-Identifier: MIT */
/* samples.h - a sampled profile: what its numbers are worth. Private to load. */
#ifndef NYTP_MODEL_SAMPLES_H
#define NYTP_MODEL_SAMPLES_H

#include "model/profile.h"

/* Says in the estimate and the notes that nothing was counted, and how far shares are right. An nytp_code. */
enum nytp_code nytp_samples_tell(nytp_profile *p);

#endif
