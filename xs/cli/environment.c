/* SPDX-License-Identifier: MIT */
/* environment.c - variables are read and set. */
#include "cli/environment.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void nytp_environment_set(nytp_error *e, const char *name, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int n = vsnprintf(NULL, 0, format, values);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text) vsnprintf(text, (size_t)n + 1, format, again);
    if (!text || setenv(name, text, 1)) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    free(text);
    va_end(again);
    va_end(values);
}

const char *nytp_environment_get(const char *name, const char *second, const char *without) {
    const char *value = getenv(name);
    if (!value) value = getenv(second);
    return value ? value : without;
}
