/* SPDX-License-Identifier: MIT */
/* kept.c - a descriptor above the program's own, and whether it still leads to the file. */
#include "sample/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/high.h"

static int is_ours(const nytp_kept *k) {
    struct stat st;
    return k->ino && fstat(k->fd, &st) == 0 && (uint64_t)st.st_dev == k->dev && (uint64_t)st.st_ino == k->ino;
}

void nytp_kept_close(nytp_kept *k) {
    int saved = errno;
    if (is_ours(k)) close(k->fd);
    *k = (nytp_kept){0};
    errno = saved;
}

/* Without a high number, by a limit of the process, the file is closed again after this reading. */
static int open_it(nytp_kept *k, pid_t pid, pid_t tid, const char *name) {
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/%s", (long)pid, (long)tid, name);
    int fd = nytp_high_move(open(path, O_RDONLY | O_CLOEXEC));
    if (fd >= NYTP_HIGH_LEAST && fstat(fd, &st) == 0)
        *k = (nytp_kept){.pid = pid, .tid = tid, .fd = fd, .dev = (uint64_t)st.st_dev, .ino = (uint64_t)st.st_ino};
    return fd;
}

ssize_t nytp_kept_bytes(nytp_kept *k, pid_t pid, pid_t tid, const char *name, void *to, size_t n, off_t at) {
    if (k->pid != pid || k->tid != tid || !is_ours(k)) nytp_kept_close(k);
    int fd = k->ino ? k->fd : open_it(k, pid, tid, name);
    ssize_t got = fd < 0 ? -1 : pread(fd, to, n, at);
    if (fd >= 0 && !k->ino) close(fd);
    return got;
}

void nytp_kept_read(nytp_kept *k, pid_t pid, pid_t tid, const char *name, char *text, size_t room) {
    ssize_t n = nytp_kept_bytes(k, pid, tid, name, text, room - 1, 0);
    text[n > 0 ? n : 0] = '\0';
}
