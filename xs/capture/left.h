/* SPDX-License-Identifier: MIT */
/* left.h - source that is in the store of a capture's job, as records of the capture: for replay and merging, which
 * read records. */
#ifndef NYTP_CAPTURE_LEFT_H
#define NYTP_CAPTURE_LEFT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "capture/reader.h"

typedef struct nytp_left {
    nytp_buf files;   /* of struct left_file: files without source yet */
    nytp_map by_key;  /* keys as numbers, to index in files + 1 */
    nytp_arena names;
    nytp_str store;   /* the name of the store, in names */
    uint32_t wanted;  /* files without source */
    int32_t is_ahead; /* 1: a text came before the record that refers to it */
    int32_t failed;   /* 1: memory was short */
} nytp_left;          /* all zero is an empty one */

typedef int nytp_left_take(void *self, const nytp_record *source); /* a value other than 0 ends nytp_left_tell */

/* To be called for each record of the capture: returns the record itself, or, for a text of the store, *source, filled
 * in with it. */
const nytp_record *nytp_left_record(nytp_left *left, const nytp_record *r, nytp_record *source);

/* To be called after the last record: gives take a source record for each file still without source, with text from the
 * capture at path or the store beside it. A text that is in neither is skipped. Returns what take returned, or
 * NYTP_NOMEM, also where memory was short before. */
int nytp_left_tell(nytp_left *left, const char *path, nytp_left_take *take, void *self);

void nytp_left_forget(nytp_left *left); /* takes an all-zero one */

#endif
