/* SPDX-License-Identifier: MIT */
/* base64.h - bytes as letters, digits, + and /, three as four, filled up with =. */
#ifndef NYTP_BASE_BASE64_H
#define NYTP_BASE_BASE64_H

#include "base/buf.h"

void nytp_base64_put(nytp_buf *out, const void *p, size_t n);

/* Three bytes for each four characters of n, which are letters, digits, + and /. 0, with less, where another stands. */
int nytp_base64_get(nytp_buf *out, const char *text, size_t n);

#endif
