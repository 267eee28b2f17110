/* SPDX-License-Identifier: MIT */
/* prices.h - what the profiler's events cost in each stream of a capture, by the last that the stream says of it: the
 * whole run's estimate. For a reader that has the file before it. */
#ifndef NYTP_CAPTURE_PRICES_H
#define NYTP_CAPTURE_PRICES_H

#include "base/map.h"
#include "capture/bytes.h"
#include "capture/chunk.h"

typedef struct nytp_prices {
    nytp_buf streams;  /* of struct stream */
    nytp_map known;    /* hash of a stream to its number, from 1 */
    nytp_buf latest;   /* payload of the chunk whose prices are not read yet; empty: none */
    nytp_chunk_info of;
} nytp_prices; /* all zero knows none */

/* Looks through the capture, whose reading goes on where it was; what can be read only once is kept in memory, and what
 * does not begin like a capture is left alone. NYTP_OK or NYTP_NOMEM; of other failures the reader will hear. */
int nytp_prices_look(nytp_prices *p, nytp_bytes *bytes);

/* By enum nytp_event, all zero for those that it says none of; NULL if the stream says none at all. */
const nytp_rec_price *nytp_prices_of(const nytp_prices *p, const nytp_stream_id *stream);

void nytp_prices_free(nytp_prices *p);

#endif
