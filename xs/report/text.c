/* text.c - putting text into a buffer. */
#include "report/text.h"

#include <stdarg.h>
#include <stdio.h>

void nytp_text_str(nytp_buf *out, nytp_str s) {
    nytp_buf_bytes(out, s.p, s.n);
}

void nytp_text_put(nytp_buf *out, const char *text) {
    nytp_text_str(out, nytp_str_c(text));
}

void nytp_text_number(nytp_buf *out, uint64_t n) {
    unsigned char digits[20], *at = digits + sizeof digits;
    do *--at = (unsigned char)('0' + n % 10);
    while (n /= 10);
    nytp_buf_bytes(out, at, (size_t)(digits + sizeof digits - at));
}

void nytp_text_format(nytp_buf *out, const char *format, ...) {
    char text[NYTP_TEXT_FORMAT + 1];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    nytp_text_put(out, text);
}
