/* SPDX-License-Identifier: MIT */
/* beside.h - another file that a capture names: it stands in the capture's directory and belongs to the same user. */
#ifndef NYTP_CAPTURE_BESIDE_H
#define NYTP_CAPTURE_BESIDE_H

#include "base/buf.h"

#define NYTP_BESIDE_MOST (INT64_C(1) << 30) /* bytes of other files that are read for one capture */

/* Opens the regular file of that name, and never the capture itself. name has no directory: a capture must not choose
 * one. *budget is the bytes that may still be read for this capture: a megabyte is taken off before anything is opened,
 * so that a thousand names can be looked for, and then the rest of the file's size. Leaves the path, with a NUL, in
 * path. Returns a descriptor, or -1. */
int nytp_beside_open(const char *capture, nytp_str name, int64_t *budget, nytp_buf *path);

/* Opens the capture itself once more, for texts that come before the records that refer to them. Returns a descriptor,
 * or -1 if it is no regular file: a pipe, like standard input ("-"), can be read only once. */
int nytp_beside_reopen(const char *path);

#endif
