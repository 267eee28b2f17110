/* SPDX-License-Identifier: MIT */
/* join.h - captures made one: their chunks behind each other, each chunk once, without what is damaged.
 *
 * Copying is enough because every chunk names its stream: a reader of the result sees the processes, threads and front
 * ends of all captures, and adds them up. */
#ifndef NYTP_CAPTURE_JOIN_H
#define NYTP_CAPTURE_JOIN_H

#include "capture/mask.h"
#include "capture/reader.h"

typedef struct nytp_join nytp_join;

typedef struct nytp_join_counts { /* of one capture */
    uint64_t chunks;              /* joined */
    uint64_t repeated;            /* left out, as an earlier capture has them */
    uint64_t damages, lost;       /* stretches that could not be read, and their bytes */
} nytp_join_counts;

/* Takes ownership of fd, an empty file, and begins it with a line that names what was merged. redact is a sum of enum
 * nytp_redact_what (redact.h), to be left out, and mask has parts of commands of builds to be left out; it is borrowed,
 * and NULL for none. NULL when memory is short (fd is then still the caller's). */
nytp_join *nytp_join_open(int fd, nytp_str merged, int64_t redact, const nytp_mask *mask);

/* A capture to be joined. What reads its path is borrowed, and the path until the join's end. */
typedef struct nytp_join_input {
    const char *path;
    nytp_reader *reader;
    nytp_join_counts counts; /* result */
} nytp_join_input;

/* Appends the chunks that the readers have not read yet, without the texts. Chunks of several captures are in the order
 * of time, as readers of builds want them. Returns an nytp_code with e set: reading failed, or writing. */
enum nytp_code nytp_join_add(nytp_join *j, nytp_join_input *inputs, size_t n, nytp_error *e);

/* Appends, behind all captures, the texts in them and in the stores beside them (store.h) that they refer to: each
 * once. Returns how many texts are missing. */
uint32_t nytp_join_sources(nytp_join *j);

/* Closes the file and frees. Takes NULL. Returns the first failure's code with e set, where e is not NULL. */
enum nytp_code nytp_join_close(nytp_join *j, nytp_error *e);

#endif
