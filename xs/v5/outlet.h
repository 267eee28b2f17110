/* SPDX-License-Identifier: MIT */
/* outlet.h - a writer whose records become a file of Devel::NYTProf's own format 5. */
#ifndef NYTP_V5_OUTLET_H
#define NYTP_V5_OUTLET_H

#include "capture/writer.h"

/* Takes fd over; level is zlib's. What the records say is told in the terms of that format (replay.h), chunk by chunk.
 * An end record finishes the file: its process may be gone the next moment, and if it is not, the rest of it is not
 * told. NULL when memory is short (fd is then still the caller's). */
nytp_writer *nytp_v5_outlet_open(int fd, const nytp_stream_id *stream, int level);

#endif
