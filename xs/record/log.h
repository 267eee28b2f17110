/* SPDX-License-Identifier: MIT */
/* log.h - what the profiler has to say: to the file that the log option names, or to standard error.
 *
 * Lines come without their newline and are written in one piece, for other processes may write to the same file, and
 * without stdio: there may be no memory for its buffer, and that may be what there is to say. errno stays. */
#ifndef NYTP_RECORD_LOG_H
#define NYTP_RECORD_LOG_H

#include "record/options.h"

void nytp_log_line(const nytp_options *o, const char *line);

/* The two halves of it, for a front end whose standard error has a buffer: 0 if there is no log file, or it cannot be
 * opened; and a line for a file descriptor. */
int nytp_log_to_file(const nytp_options *o, const char *line);
void nytp_log_to(int fd, const char *line);

/* Whether the file of the log option can be written to; if not, why is in errno. */
int nytp_log_can_open(const nytp_options *o);

#endif
