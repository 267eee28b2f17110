/* SPDX-License-Identifier: MIT */
/* info.h - shared by cmd_info.c and info_v5.c. */
#ifndef NYTP_CLI_INFO_H
#define NYTP_CLI_INFO_H

#include "capture/bytes.h"

/* A text from the file, escaped; the second with a title and a newline. */
void nytp_info_put(nytp_str text);
void nytp_info_text(const char *title, nytp_str text);

/* Prints the time of the beginning, and the duration; seconds since the epoch. */
void nytp_info_times(double begin, double end);

/* Info of a file of format 5, which it closes. Returns an exit code. */
int nytp_info_v5(nytp_bytes *bytes);

#endif
