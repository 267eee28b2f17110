/* SPDX-License-Identifier: MIT */
/* kept.h - a file of /proc about a thread, or its memory, which is read many times a second and stays open meanwhile.
 *
 * A descriptor has a low number for a moment (base/high.h), and there are hundreds of readings in a second. So the file
 * is opened again only if the program has closed it, or after a fork. */
#ifndef NYTP_SAMPLE_KEPT_H
#define NYTP_SAMPLE_KEPT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct nytp_kept {
    pid_t pid, tid;    /* the thread that it is about */
    int fd;
    uint64_t dev, ino; /* identity of the file, as the program may have another one under this number; ino 0: none */
} nytp_kept;

/* The text of /proc/PID/task/TID/NAME, cut to the room; empty if it cannot be read. The name is always the same. */
void nytp_kept_read(nytp_kept *k, pid_t pid, pid_t tid, const char *name, char *text, size_t room);

/* n bytes of it from that position on, as pread; the errno is that of the system. */
ssize_t nytp_kept_bytes(nytp_kept *k, pid_t pid, pid_t tid, const char *name, void *to, size_t n, off_t at);

/* Closes the file if it still is ours. */
void nytp_kept_close(nytp_kept *k);

#endif
