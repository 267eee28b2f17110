/* SPDX-License-Identifier: MIT */
/* append.h - puts whole blocks at the end of a descriptor of the host process.
 *
 * The host may close our descriptor and open its own under the same number (see held.h), hit its file size limit, fill
 * the disk or close the pipe we write to: none of this may hurt its data, kill it with a signal or change its errno. */
#ifndef NYTP_CAPTURE_APPEND_H
#define NYTP_CAPTURE_APPEND_H

#include "base/buf.h"
#include "base/error.h"
#include "capture/held.h"

#include <stddef.h>

typedef struct nytp_append {
    nytp_held file;  /* none when closed */
    int32_t can_cut; /* 1: a regular file that was empty when opened */
    int32_t waits;   /* 1: blocks for which there is no room wait for it */
    uint64_t size;   /* bytes of whole blocks written */
    nytp_buf waiting;       /* those blocks, and their sizes */
    nytp_buf waiting_sizes;
    nytp_error why;         /* they wait, or something else does; code NYTP_OK: nothing does */
} nytp_append;

/* Takes ownership of fd. */
void nytp_append_open(nytp_append *a, int fd);

/* Writes all of p[0..n) or, where the file can be cut back, nothing. Where there is no room, on the disk or by a limit
 * of sizes, that is no error if blocks may wait and are not too many: later calls write them, in order. Returns an
 * nytp_code. */
enum nytp_code nytp_append_write(nytp_append *a, const void *p, size_t n, nytp_error *e);

/* What is to be written instead of a block has no room, and waits for it. */
void nytp_append_lacks_room(nytp_append *a);

/* Writes those of the blocks that wait for which there is room now; nothing else waits any more. */
void nytp_append_again(nytp_append *a);

/* The same; it is an error if that is not all. */
enum nytp_code nytp_append_rest(nytp_append *a, nytp_error *e);

/* Writes over bytes of a file that a descriptor leads to which does not append. 1; 0: not all of them. */
int nytp_append_overwrite(int fd, const void *p, size_t n, uint64_t at);

/* Writes to a descriptor without raising a signal. Returns the number of bytes; if less than n, errno says why. */
size_t nytp_append_quietly(int fd, const void *p, size_t n);

/* Bytes that may still be written behind so many others, as far as the file's size limit tells, and with on_disk the
 * disk, too; else UINT64_MAX. */
uint64_t nytp_append_room(const nytp_append *a, uint64_t others, int on_disk);

/* Bytes of the file, those that wait among them, and with can_cut = 0 those of others who append to it. */
uint64_t nytp_append_size(const nytp_append *a);

/* Closes the descriptor if it still is ours. Blocks that wait are lost. */
void nytp_append_close(nytp_append *a, nytp_error *e);

#endif
