/* v5_out.h - the chunks that a writer would write, told into a file of format 5 instead. Private to writer. */
#ifndef NYTP_CAPTURE_V5_OUT_H
#define NYTP_CAPTURE_V5_OUT_H

#include "base/buf.h"
#include "base/error.h"
#include "capture/format.h"

typedef struct nytp_v5_out nytp_v5_out;

/* Takes fd over; level is zlib's. NULL when memory is short (fd is then still the caller's). */
nytp_v5_out *nytp_v5_out_open(int fd, const nytp_stream_id *stream, int level);

/* Tells the records of a payload and hands all of it to the operating system. An end record finishes the file: its
 * process may be gone the next moment, and if it is not, the rest of it is not told. Returns NYTP_OK or NYTP_NOMEM;
 * what goes wrong in writing is set in e. */
int nytp_v5_out_chunk(nytp_v5_out *o, const nytp_buf *payload, nytp_error *e);

/* Closes the descriptor, writes nothing, and frees. Takes NULL. */
void nytp_v5_out_close(nytp_v5_out *o, nytp_error *e);

#endif
