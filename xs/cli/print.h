/* SPDX-License-Identifier: MIT */
/* print.h - what captures say, on standard output, and what verbs say of captures. Nothing here takes memory. */
#ifndef NYTP_CLI_PRINT_H
#define NYTP_CLI_PRINT_H

#include "base/str.h"

/* Printable ASCII as it is, backslash and all other bytes as \xHH; the second in quotes, those inside with a backslash;
 * the third with a title in front and a newline behind. */
void nytp_print_text(nytp_str text);
void nytp_print_quoted(nytp_str text);
void nytp_print_titled(const char *title, nytp_str text);

/* When a program began and how long it took, from seconds since the epoch. */
void nytp_print_times(double begin, double end);

/* On standard error: a capture that has lost so many bytes in so many places. */
void nytp_print_damaged(const char *path, unsigned long long places, unsigned long long bytes);

#endif
