/* SPDX-License-Identifier: MIT */
/* disk.h - source files on the disk. */
#ifndef NYTP_RECORD_DISK_H
#define NYTP_RECORD_DISK_H

#include "record/recorder.h"

/* The file of that path, known or new: with its size and time, or 0 for both if it is not there, and with its source
 * as it is now if the option savesrc is on. NULL when memory is short (the recorder is then dead). The source is kept
 * until a window is written, and that of a starting program may be megabytes: nytp_files_tell_source, to be called for
 * a file with text in `taken`, writes it at once if it can. */
nytp_live_file *nytp_disk_file(nytp_recorder *r, const char *path);

#endif
