/* SPDX-License-Identifier: MIT */
/* text.h - putting text into a buffer: literals and formatted numbers, never foreign bytes (those go through
 * escape.h). Memory that is short leaves the buffer failed. */
#ifndef NYTP_REPORT_TEXT_H
#define NYTP_REPORT_TEXT_H

#include <string.h>

#include "base/buf.h"
#include "base/error.h"

static inline void nytp_text_str(nytp_buf *out, nytp_str s) { nytp_buf_bytes(out, s.p, s.n); }

/* Inline, as the compiler then knows the length of a literal. */
static inline void nytp_text_put(nytp_buf *out, const char *text) { nytp_buf_bytes(out, text, strlen(text)); }

/* Reports consist of numbers, and printf is slow. */
void nytp_text_number(nytp_buf *out, uint64_t n); /* its digits */
void nytp_text_signed(nytp_buf *out, int64_t n);  /* the same, behind a - if it is negative */

static inline void nytp_text_around(nytp_buf *out, const char *before, uint64_t n, const char *behind) {
    nytp_text_put(out, before);
    nytp_text_number(out, n);
    nytp_text_put(out, behind);
}

/* At most NYTP_TEXT_FORMAT bytes come of one call. */
void nytp_text_format(nytp_buf *out, const char *format, ...) NYTP_PRINTF(2, 3);
#define NYTP_TEXT_FORMAT 1000

#endif
