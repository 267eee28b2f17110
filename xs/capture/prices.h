/* SPDX-License-Identifier: MIT */
/* prices.h - what the profiler's events cost in each stream of a capture, by the stream's last prices: the whole run's
 * estimate. For a reader that has the whole file. */
#ifndef NYTP_CAPTURE_PRICES_H
#define NYTP_CAPTURE_PRICES_H

#include "base/table.h"
#include "capture/bytes.h"
#include "capture/chunk.h"

typedef struct nytp_prices {
    nytp_buf streams;  /* of struct stream */
    nytp_table known;  /* numbers of streams, from 1 */
    nytp_buf latest;   /* payload of the chunk whose prices are not read yet; empty: none */
    nytp_chunk_info of;
    int32_t failed;    /* 1: memory was short */
} nytp_prices; /* all zero: no streams */

/* Looks through the capture without moving its position; bytes that can be read only once are kept in memory, and a
 * file that does not begin like a capture is left alone. NYTP_OK or NYTP_NOMEM; other failures are left to the
 * reader. */
enum nytp_code nytp_prices_look(nytp_prices *p, nytp_bytes *bytes);

/* Prices by enum nytp_event, all zero for events without one; NULL if the stream has no prices. */
const nytp_rec_price *nytp_prices_of(const nytp_prices *p, const nytp_stream_id *stream);

void nytp_prices_free(nytp_prices *p);

#endif
