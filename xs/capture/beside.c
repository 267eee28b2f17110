/* SPDX-License-Identifier: MIT */
/* beside.c - another file that a capture names. */
#include "capture/beside.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST (1 << 20) /* what each look takes of the budget, also for a file that is not there or is smaller */

static int could_put_path(nytp_buf *path, const char *capture, nytp_str name) {
    const char *slash = strrchr(capture, '/');
    if (!name.n || memchr(name.p, '/', name.n) || memchr(name.p, 0, name.n)) return 0;
    nytp_buf_bytes(path, capture, slash ? (size_t)(slash + 1 - capture) : 0);
    nytp_buf_bytes(path, name.p, name.n);
    nytp_buf_byte(path, 0);
    return !path->failed;
}

static int is_trusted(const char *capture, const struct stat *st) {
    struct stat own;
    return S_ISREG(st->st_mode) && stat(capture, &own) == 0 && st->st_uid == own.st_uid &&
           (st->st_ino != own.st_ino || st->st_dev != own.st_dev);
}

static int may_read(int64_t *budget, int64_t size) {
    if (size > *budget) return 0;
    if (size > 0) *budget -= size;
    return 1;
}

/* Checks the opened descriptor, not the path: a link or a pipe may replace the file at any time. */
int nytp_beside_open(const char *capture, nytp_str name, int64_t *budget, nytp_buf *path) {
    struct stat st;
    nytp_buf_clear(path);
    if (!could_put_path(path, capture, name) || !may_read(budget, LEAST)) return -1;
    int fd = open((const char *)path->p, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (fstat(fd, &st) == 0 && is_trusted(capture, &st) && may_read(budget, st.st_size - LEAST)) return fd;
    close(fd);
    return -1;
}

int nytp_beside_reopen(const char *path) {
    struct stat st;
    int fd = strcmp(path, "-") == 0 ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return -1;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) return fd;
    close(fd);
    return -1;
}
