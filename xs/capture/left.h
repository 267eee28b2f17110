/* SPDX-License-Identifier: MIT */
/* left.h - source that a capture has left to the store of its job, as the records that it would have itself: for replay
 * and merging, which read records. */
#ifndef NYTP_CAPTURE_LEFT_H
#define NYTP_CAPTURE_LEFT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "capture/reader.h"

typedef struct nytp_left {
    nytp_buf files;   /* of struct left_file: what has no source yet */
    nytp_map by_key;  /* keys as numbers to number + 1 there */
    nytp_arena names;
    nytp_str store;   /* the name of the store, in names */
    uint32_t wanted;  /* files without source */
    int32_t is_ahead; /* 1: texts came that were not wanted yet */
} nytp_left;          /* all zero is an empty one */

typedef int nytp_left_take(void *self, const nytp_record *source); /* not 0 ends the telling */

/* For each record of the capture as it comes: the record itself, or, of a text that it has left, *source made of it. */
const nytp_record *nytp_left_record(nytp_left *left, const nytp_record *r, nytp_record *source);

/* After the last one: gives the rest as source records, of streams and files as in the capture at path, from there and
 * from the store beside it. What is not there is as if it had not been left. Returns what take returned. */
int nytp_left_tell(nytp_left *left, const char *path, nytp_left_take *take, void *self);

void nytp_left_forget(nytp_left *left); /* takes an all-zero one */

#endif
