/* SPDX-License-Identifier: MIT */
/* percall.h - how long the calls of subs took, as columns of text. */
#ifndef NYTP_TERMINAL_PERCALL_H
#define NYTP_TERMINAL_PERCALL_H

#include "terminal/gprof.h"

/* The heading of the columns; a sub's row, blank columns if none of its calls has a length; what the columns are. */
void nytp_percall_head(nytp_buf *out, const nytp_gprof *g);
void nytp_percall_row(nytp_buf *out, const nytp_gprof *g, uint32_t sub);
void nytp_percall_legend(nytp_buf *out);

#endif
