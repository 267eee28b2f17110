/* SPDX-License-Identifier: MIT */
/* lanes.h - the processes of a build in lanes, for timelines: of two in one lane at one time one is below the other,
 * and its time is within that of the other. */
#ifndef NYTP_MODEL_LANES_H
#define NYTP_MODEL_LANES_H

#include "model/build.h"

/* The lane of each process, from 0, to be freed; a process is in the lane of the process above it if that is free.
 * *lanes_n gets the number of lanes. NULL when memory is short. */
uint32_t *nytp_lanes_make(const nytp_build *b, uint32_t *lanes_n);

#endif
