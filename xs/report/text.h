/* text.h - putting text into a buffer: literals and formatted numbers, never foreign bytes (those go through
 * escape.h). Memory that is short leaves the buffer failed. */
#ifndef NYTP_REPORT_TEXT_H
#define NYTP_REPORT_TEXT_H

#include "base/buf.h"
#include "base/error.h"

void nytp_text_put(nytp_buf *out, const char *text);
void nytp_text_str(nytp_buf *out, nytp_str s);

void nytp_text_number(nytp_buf *out, uint64_t n); /* its digits: reports consist of numbers, and printf is slow */

/* At most NYTP_TEXT_FORMAT bytes come of one call. */
void nytp_text_format(nytp_buf *out, const char *format, ...) NYTP_PRINTF(2, 3);
#define NYTP_TEXT_FORMAT 1000

#endif
