/* SPDX-License-Identifier: MIT */
/* print.h - what captures say, on standard output, and all messages: no other file writes to standard error. No byte
 * of a capture, or of a file's name, is an order to the terminal. */
#ifndef NYTP_CLI_PRINT_H
#define NYTP_CLI_PRINT_H

#include <stdarg.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/str.h"

/* Printable ASCII as it is, backslash and all other bytes as \xHH; the second with a title in front and a newline
 * behind; the third into a buffer, in quotes, those inside with a backslash. */
void nytp_print_text(nytp_str text);
void nytp_print_titled(const char *title, nytp_str text);
void nytp_print_quote(nytp_buf *out, nytp_str text);

/* When a program began and how long it took, from seconds since the epoch. */
void nytp_print_times(double begin, double end);

/* One line, ended by a newline that the format does not have: control characters in it become visible escapes, so that
 * no value adds another line. Short of memory, they become question marks. */
void nytp_print_line(FILE *to, const char *format, ...) NYTP_PRINTF(2, 3);

/* The same on standard error, behind "nytprof: ". */
void nytp_print_message(const char *format, ...) NYTP_PRINTF(1, 2);

/* The same, with a second text behind it. */
void nytp_print_message_with(const char *format, va_list values, const char *behind);

/* On standard error: a capture that has lost so many bytes in so many places. */
void nytp_print_damaged(const char *path, unsigned long long places, unsigned long long bytes);

#endif
