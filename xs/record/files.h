/* SPDX-License-Identifier: MIT */
/* files.h - the records of files in a window: definitions, and source or a reference to it. */
#ifndef NYTP_RECORD_FILES_H
#define NYTP_RECORD_FILES_H

#include "record/recorder.h"

/* Writes the definition, unless this output has it. */
void nytp_files_define(nytp_recorder *r, uint32_t id);

/* Writes the source compiled since the last window. */
void nytp_files_write_sources(nytp_recorder *r);

/* Says that a file's source is complete: it is written now, so that the front end need not keep it, or with the next
 * window. errno stays as it was. */
void nytp_files_tell_source(nytp_recorder *r, nytp_live_file *f);

/* To be called between definitions, which may be in an earlier chunk than their window's. */
void nytp_files_close_chunk_if_full(nytp_recorder *r);

#endif
