/* SPDX-License-Identifier: MIT */
/* append.h - puts whole blocks at the end of a descriptor of the host process.
 *
 * The host may close our descriptor and open its own under the same number, hit its file size limit, fill the disk or
 * close the pipe we write to: none of this may hurt its data, kill it with a signal or change its errno. */
#ifndef NYTP_CAPTURE_APPEND_H
#define NYTP_CAPTURE_APPEND_H

#include "base/error.h"

#include <stddef.h>

typedef struct nytp_append {
    int32_t fd;       /* -1 when closed */
    int32_t can_cut;  /* 1: fd is a regular file and was empty when opened */
    uint64_t dev, ino; /* identity of the file behind fd when opened */
    uint64_t size;    /* bytes of whole blocks written */
} nytp_append;

/* Takes ownership of fd. */
void nytp_append_open(nytp_append *a, int fd);

/* Writes all of p[0..n) or, where the file can be cut back, nothing. Returns an nytp_code. */
enum nytp_code nytp_append_write(nytp_append *a, const void *p, size_t n, nytp_error *e);

/* Closes the descriptor if it still is ours. */
void nytp_append_close(nytp_append *a, nytp_error *e);

#endif
