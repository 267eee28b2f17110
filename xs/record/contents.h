/* SPDX-License-Identifier: MIT */
/* contents.h - the text of files of source. */
#ifndef NYTP_RECORD_CONTENTS_H
#define NYTP_RECORD_CONTENTS_H

#include "record/recorder.h"

/* Appends what is on the disk, as far as it can be read, by the file's path if it has one, else by its name. */
void nytp_contents_read(const nytp_live_file *file, nytp_buf *text);

/* All of a file's source, from its text or else from the disk, unless some of it is written already: as the `source` of
 * a nytp_front. Returns how many lines. */
uint32_t nytp_contents_of(const nytp_live_file *file, nytp_buf *text);

#endif
