/* SPDX-License-Identifier: MIT */
/* outlet.h - a writer whose records become a file of Devel::NYTProf's own format 5. */
#ifndef NYTP_V5_OUTLET_H
#define NYTP_V5_OUTLET_H

#include "capture/writer.h"

/* Takes ownership of fd; level is zlib's. Records are replayed as events (replay.h), chunk by chunk. An end record
 * finishes the file, as its process may end at once; later records are dropped. NULL when memory is short (fd is then
 * still the caller's). */
nytp_writer *nytp_v5_outlet_open(int fd, const nytp_stream_id *stream, int level);

#endif
