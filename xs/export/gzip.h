/* SPDX-License-Identifier: MIT */
/* gzip.h - data as a gzip file without a name or time, so that the same data makes the same file. */
#ifndef NYTP_EXPORT_GZIP_H
#define NYTP_EXPORT_GZIP_H

#include "base/buf.h"
#include "base/error.h"

/* Appends the file; without zlib the bytes as they are. Returns an nytp_code. */
int nytp_gzip(nytp_buf *out, const nytp_buf *bytes);

#endif
