/* SPDX-License-Identifier: MIT */
/* times.h - events of statements: a place's count and time of a window become events that share the time.
 *
 * Ticks are format 5's, of 100 ns. A place remembers what has been emitted for it, so that the rest of rounding goes to
 * its next window. */
#ifndef NYTP_V5_TIMES_H
#define NYTP_V5_TIMES_H

#include "base/buf.h"
#include "v5/emitter.h"

typedef struct nytp_timed {
    uint32_t fid, line, block_line, sub_line;
    int64_t ticks;   /* sum, in ticks of the capture's clock; the caller's */
    int64_t emitted; /* the part emitted so far, in ticks of format 5 */
    int64_t owed;    /* statements emitted and then taken back: that many are not emitted again */
} nytp_timed;

/* Adds a copy to the buffer. Returns its number, from 1; 0 when memory is short, which is sticky in the buffer. */
uint32_t nytp_times_add(nytp_buf *times, const nytp_timed *like);

nytp_timed *nytp_times_at(const nytp_buf *times, uint32_t number);

/* Emits count statements, with the time up to `due`, the place's whole time in ticks of format 5. With is_block they
 * are TIME_BLOCK, else TIME_LINE. Failures are the emitter's. */
void nytp_times_emit(nytp_timed *t, int64_t count, int64_t due, int is_block, nytp_emitter *to);

#endif
