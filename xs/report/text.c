/* SPDX-License-Identifier: MIT */
/* text.c - putting text into a buffer. */
#include "report/text.h"

#include <stdarg.h>
#include <stdio.h>

void nytp_text_number(nytp_buf *out, uint64_t n) {
    unsigned char digits[20], *at = digits + sizeof digits;
    do *--at = (unsigned char)('0' + n % 10);
    while (n /= 10);
    nytp_buf_bytes(out, at, (size_t)(digits + sizeof digits - at));
}

void nytp_text_signed(nytp_buf *out, int64_t n) {
    if (n < 0) nytp_buf_byte(out, '-');
    nytp_text_number(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}

void nytp_text_format(nytp_buf *out, const char *format, ...) {
    char text[NYTP_TEXT_FORMAT + 1];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nytp_text_put(out, text);
}
