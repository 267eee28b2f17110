/* SPDX-License-Identifier: MIT */
/* inherited.h - source that a forked child has left to its parent, in another capture or the same, as records of the
 * child's: for replay, which reads records. A profile has its own way (model/parent.h), as it knows which files lack
 * source. */
#ifndef NYTP_CAPTURE_INHERITED_H
#define NYTP_CAPTURE_INHERITED_H

#include "base/arena.h"
#include "base/buf.h"
#include "capture/left.h"
#include "capture/reader.h"

typedef struct nytp_inherited {
    nytp_buf heirs;   /* of struct heir: streams with what they say of their parents */
    nytp_arena names;
    int32_t failed;   /* 1: memory was short */
} nytp_inherited;     /* all zero is an empty one */

/* The highest id of a file in a property sources_until. */
uint64_t nytp_inherited_until(nytp_str value);

/* To be called for each record of the capture, which is of that stream. */
void nytp_inherited_record(nytp_inherited *all, const nytp_record *r, const nytp_stream_id *id);

/* To be called after the last record: gives take the records of files' source and of the store from the other streams
 * of this capture, at path, and from the captures that it names, as records of the heir's stream, the parent's first.
 * A file may have its source already. A capture that is not there is skipped. Returns what take returned, or
 * NYTP_NOMEM, also where memory was short before. */
enum nytp_code nytp_inherited_tell(nytp_inherited *all, const char *path, nytp_left_take *take, void *self);

void nytp_inherited_forget(nytp_inherited *all); /* takes an all-zero one */

#endif
