/* SPDX-License-Identifier: MIT */
/* held.h - a file that stays open in the host process, which may close any descriptor, as daemons do, and may open a
 * file of its own under the same number. That file is never touched; ours is opened again by its name. */
#ifndef NYTP_CAPTURE_HELD_H
#define NYTP_CAPTURE_HELD_H

#include <stdint.h>

typedef struct nytp_held {
    int32_t fd;        /* -1: none */
    uint32_t is_plain; /* 1: a regular file, which can be opened again */
    int32_t way;       /* how it is open: flags of open(2) */
    uint64_t dev, ino; /* identity of the file ... */
    uint64_t size;     /* ... and bytes that it has at least: another file may get the number of a removed one */
    char *path;        /* absolute, as the system knew it at the last look; NULL: not known */
} nytp_held;

#define NYTP_HELD_NONE {.fd = -1}

/* Takes ownership of fd, which may be -1. Keeps errno, as all functions here do. */
void nytp_held_take(nytp_held *h, int fd);

/* Opens the file that another has open for appending once more, for overwriting: Linux appends what is written at an
 * offset of the first descriptor. Without success h is none. */
void nytp_held_take_second(nytp_held *h, const nytp_held *other);

/* 1 if the descriptor leads to the file, perhaps since a moment: the host had closed it, the file still has its name,
 * and it was opened for appending and locked. 0, with errno: it is lost. */
int nytp_held_find(nytp_held *h);

/* A new descriptor of the same open file, which shares its lock and position; -1, with errno: it is lost. */
int nytp_held_duplicate(nytp_held *h);

/* Closes the descriptor if it still is ours, and frees. 0, or what close returned, with errno. */
int nytp_held_drop(nytp_held *h);

#endif
