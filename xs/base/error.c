/* SPDX-License-Identifier: MIT */
/* error.c - what can go wrong, as a code and one line of text. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void set(nytp_error *e, int code, int sys, const char *format, va_list args) {
    size_t n;

    e->code = code;
    e->sys = sys;
    vsnprintf(e->text, sizeof e->text, format, args);
    n = strlen(e->text);
    if (sys) {
        char meaning[128];

        if (strerror_r(sys, meaning, sizeof meaning)) snprintf(meaning, sizeof meaning, "error %d", sys);
        snprintf(e->text + n, sizeof e->text - n, ": %s", meaning);
    }
    nytp_utf8_mask(e->text); /* file names may contain any byte */
}

enum nytp_code nytp_error_set(nytp_error *e, int code, const char *format, ...) {
    va_list args;

    if (e->code) return e->code;
    va_start(args, format);
    set(e, code, 0, format, args);
    va_end(args);
    return e->code;
}

enum nytp_code nytp_error_sys(nytp_error *e, const char *format, ...) {
    int sys = errno;
    va_list args;

    if (e->code) return e->code;
    va_start(args, format);
    set(e, NYTP_IO, sys, format, args);
    va_end(args);
    errno = sys;
    return e->code;
}
