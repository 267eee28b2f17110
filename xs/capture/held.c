/* SPDX-License-Identifier: MIT */
/* held.c - a file that stays open in the host process, which may close any descriptor. */
#include "capture/held.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/high.h"

/* How a descriptor is open: of two for one file, one appends and the other overwrites. */
static int way_of(int fd) { return fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND); }

static int is_the_file(const nytp_held *h, int fd, struct stat *st) {
    if (fd < 0 || fstat(fd, st)) return 0;
    return (uint64_t)st->st_dev == h->dev && (uint64_t)st->st_ino == h->ino && way_of(fd) == h->way;
}

/* The kernel's name of the open file is absolute, and follows renames. Without /proc there is none. */
static void look_up_name(nytp_held *h) {
    char link[32], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", (int)h->fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0 || *path != '/') return;
    path[n] = 0;
    if (h->path && strcmp(h->path, path) == 0) return;
    char *copy = strdup(path);
    if (!copy) return;
    free(h->path);
    h->path = copy;
}

void nytp_held_take(nytp_held *h, int fd) {
    int saved = errno;
    struct stat st;
    *h = (nytp_held){.fd = fd};
    if (fd >= 0 && fstat(fd, &st) == 0) {
        h->is_plain = S_ISREG(st.st_mode);
        h->way = way_of(fd);
        h->dev = (uint64_t)st.st_dev;
        h->ino = (uint64_t)st.st_ino;
    }
    if (h->is_plain) look_up_name(h);
    errno = saved;
}

static int open_again(nytp_held *h) {
    int way = h->way == O_RDWR ? O_RDWR : O_WRONLY | O_APPEND;
    int fd = h->path ? open(h->path, way | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
    struct stat st;
    if (fd < 0) return 0;
    h->way = way;
    if (!is_the_file(h, fd, &st) || (uint64_t)st.st_size < h->size) {
        close(fd);
        return 0;
    }
    h->fd = nytp_high_move(fd);
    flock(h->fd, LOCK_EX | LOCK_NB); /* it fails where a forked child holds the lock for us */
    return 1;
}

int nytp_held_find(nytp_held *h) {
    int saved = errno;
    struct stat st;
    if (h->fd < 0) return errno = EBADF, 0;
    if (is_the_file(h, h->fd, &st)) {
        if (h->is_plain) look_up_name(h);
    } else if (!open_again(h)) {
        return errno = EBADF, 0;
    }
    errno = saved;
    return 1;
}

void nytp_held_take_second(nytp_held *h, const nytp_held *other) {
    int saved = errno;
    *h = *other;
    h->fd = -1;
    h->way = O_RDWR;
    h->path = other->is_plain && other->path ? strdup(other->path) : NULL;
    if (!open_again(h)) {
        free(h->path);
        *h = (nytp_held)NYTP_HELD_NONE;
    }
    errno = saved;
}

int nytp_held_duplicate(nytp_held *h) {
    return nytp_held_find(h) ? fcntl(h->fd, F_DUPFD_CLOEXEC, NYTP_HIGH_LEAST) : -1;
}

int nytp_held_drop(nytp_held *h) {
    struct stat st;
    int saved = errno, failed = is_the_file(h, h->fd, &st) && close(h->fd);
    free(h->path);
    *h = (nytp_held)NYTP_HELD_NONE;
    if (!failed) errno = saved;
    return failed;
}
