/* SPDX-License-Identifier: MIT */
/* high.c - moves a descriptor above those of the host. */
#include "base/high.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int nytp_high_move(int fd) {
    int saved = errno, high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, NYTP_HIGH_LEAST);
    if (high >= 0) close(fd);
    errno = saved;
    return high < 0 ? fd : high;
}
