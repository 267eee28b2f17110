/* SPDX-License-Identifier: MIT */
/* quantile.h - lengths of spans and of calls: their sums over all streams, and quantiles. */
#ifndef NYTP_MODEL_QUANTILE_H
#define NYTP_MODEL_QUANTILE_H

#include "model/stream.h"

/* Add a stream's record, which may be below nothing, and `more`. The latter two return 0 when memory is short. */
void nytp_quantile_tally(nytp_lengths *l, const nytp_stream *s, const nytp_rec_tally *r);
int nytp_quantile_bucket(nytp_arena *arena, nytp_lengths *l, const nytp_rec_bucket *r);
int nytp_quantile_join(nytp_arena *arena, nytp_lengths *l, const nytp_lengths *more);

/* The number of lengths in a bucket (capture/buckets.h). */
int64_t nytp_quantile_number(const nytp_lengths *l, uint32_t bucket);

/* The length in ns that so many thousandths of all do not exceed, within 4 %, and at most the longest; 0: there is
 * none. */
uint64_t nytp_quantile_of(const nytp_lengths *l, uint32_t thousandths);

/* In ns; exact. */
uint64_t nytp_quantile_longest(const nytp_lengths *l);

#endif
