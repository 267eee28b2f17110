/* SPDX-License-Identifier: MIT */
/* usage.h - options and clocks as text, for users who ask a front end for help. */
#ifndef NYTP_RECORD_USAGE_H
#define NYTP_RECORD_USAGE_H

#include "base/buf.h"

/* Appends a line for each option, with its default, and for each clock that works here. Memory that is short leaves out
 * failed. */
void nytp_usage(nytp_buf *out);

#endif
