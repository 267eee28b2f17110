/* SPDX-License-Identifier: MIT */
/* duty.h - lines of runs that traced them now and then (option duty). Private to load. */
#ifndef NYTP_MODEL_DUTY_H
#define NYTP_MODEL_DUTY_H

#include "model/intern.h"

/* Estimates counts and times of places from the sample and the time of nodes, and notes so in the profile. Returns an
 * nytp_code. */
enum nytp_code nytp_duty_estimate(nytp_profile *p, nytp_intern *in);

#endif
