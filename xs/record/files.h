/* SPDX-License-Identifier: MIT */
/* files.h - what a window tells of files: their definitions, and their source or where that is. */
#ifndef NYTP_RECORD_FILES_H
#define NYTP_RECORD_FILES_H

#include "record/recorder.h"

/* Unless this output has it. */
void nytp_files_define(nytp_recorder *r, uint32_t id);

/* What has been compiled of each file since the last window. */
void nytp_files_write_sources(nytp_recorder *r);

/* That of a file can be had whole: ahead of the next window, so that the front end need not hold it, unless it has to
 * wait for that. errno stays as it was. */
void nytp_files_tell_source(nytp_recorder *r, nytp_live_file *f);

/* Between definitions, which need not be in their window's own chunk. */
void nytp_files_close_chunk_if_full(nytp_recorder *r);

#endif
