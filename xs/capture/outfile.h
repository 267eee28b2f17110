/* SPDX-License-Identifier: MIT */
/* outfile.h - opens the file a capture goes to, by rules that never destroy a file that is in use.
 *
 * Only a regular file is ever unlinked; the new one is made with O_EXCL and mode 0600 and never through a symbolic
 * link; a file below /dev/ that is not regular is opened as it is, unless it is another user's link; anything else is
 * an error. The open file is locked for as long as it is written: a file of that name which is locked belongs to a live
 * process, and NAME.PID, NAME.PID.1 ... is used instead. A finished capture that this same process wrote, also before
 * an exec, is kept as NAME.1, NAME.2 ... If all processes of a job were told the same name, the first process gets it,
 * and for the others it counts as locked. */
#ifndef NYTP_CAPTURE_OUTFILE_H
#define NYTP_CAPTURE_OUTFILE_H

#include "base/buf.h"
#include "base/error.h"

enum nytp_outfile_flag {
    NYTP_OUTFILE_OWN = 1,   /* this process has written to path before */
    NYTP_OUTFILE_SHARED = 2 /* other processes of this job may have, too (see job.h) */
};

/* Opens path and leaves the name finally used, NUL-terminated, in used. Returns a descriptor (close-on-exec, with a
 * number above the program's own), or -1 with the error set. */
int nytp_outfile_open(const char *path, int flags, nytp_buf *used, nytp_error *e);

/* Ahead of a run that is one of several of this job, with NYTP_OUTFILE_SHARED: removes a capture that another process
 * of the job has finished, which would count as one of this run. */
void nytp_outfile_forget(const char *path);

#endif
