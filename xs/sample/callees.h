/* SPDX-License-Identifier: MIT */
/* callees.h - the recorder's sub for what a frame runs. */
#ifndef NYTP_SAMPLE_CALLEES_H
#define NYTP_SAMPLE_CALLEES_H

#include "sample/found.h"

/* The sub with that CV. NULL: it could not be read, or memory is short (the recorder is then dead). */
nytp_live_sub *nytp_callees_sub(nytp_found *c, uint64_t cv);

/* What the op that runs stands for: a slow built-in, as the option slowops says, or a sub in C. NULL: neither. */
nytp_live_sub *nytp_callees_leaf(nytp_found *c, const nytp_stack *s);

/* The program around perl. NULL: memory is short. */
nytp_live_sub *nytp_callees_host(nytp_found *c);

#endif
