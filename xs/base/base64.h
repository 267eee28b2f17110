/* SPDX-License-Identifier: MIT */
/* base64.h - bytes as letters, digits, + and /, three as four, filled up with =. */
#ifndef NYTP_BASE_BASE64_H
#define NYTP_BASE_BASE64_H

#include "base/buf.h"

void nytp_base64_put(nytp_buf *out, const void *p, size_t n);

#endif
