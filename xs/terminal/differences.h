/* SPDX-License-Identifier: MIT */
/* differences.h - what differs between profiles of two sides, as a text. */
#ifndef NYTP_TERMINAL_DIFFERENCES_H
#define NYTP_TERMINAL_DIFFERENCES_H

#include "report/judged.h"
#include "report/sink.h"

/* As nytp_report.write_compared. */
int nytp_differences_write(const nytp_compared_request *r, nytp_sink *sink);

#endif
