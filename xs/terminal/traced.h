/* SPDX-License-Identifier: MIT */
/* traced.h - what trace and samples have in common: processes with calls in their order. */
#ifndef NYTP_TERMINAL_TRACED_H
#define NYTP_TERMINAL_TRACED_H

#include "report/registry.h"

/* Fails the sink with one line that says how to profile, if no process has such calls; else returns NYTP_OK. */
int nytp_traced_check(const nytp_profile *p, nytp_sink *sink);

/* If several processes have such calls: a line that names the one whose lines follow. */
void nytp_traced_heading(nytp_buf *out, const nytp_profile *p, const nytp_process *process);

#endif
