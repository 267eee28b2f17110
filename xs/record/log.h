/* SPDX-License-Identifier: MIT */
/* log.h - messages of the profiler: to the file of option log, or to standard error.
 *
 * Lines come without their newline and are written in one piece, as other processes may write to the same file, and
 * without stdio, as the message may be that there is no memory. errno is kept, and no signal is raised. */
#ifndef NYTP_RECORD_LOG_H
#define NYTP_RECORD_LOG_H

#include "record/options.h"

void nytp_log_line(const nytp_options *o, const char *line);

/* The two halves, for a front end with a buffered standard error: a line to the log file, 0 if there is none or it
 * cannot be opened; and a line to a descriptor. */
int nytp_log_to_file(const nytp_options *o, const char *line);
void nytp_log_to(int fd, const char *line);

/* Whether the file of the log option can be written to; if not, errno says why. */
int nytp_log_can_open(const nytp_options *o);

#endif
