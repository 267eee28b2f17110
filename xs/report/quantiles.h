/* SPDX-License-Identifier: MIT */
/* quantiles.h - how values are distributed, in little memory: counts in buckets, 32 for each octave, so a quantile is
 * off by at most 3 %. */
#ifndef NYTP_REPORT_QUANTILES_H
#define NYTP_REPORT_QUANTILES_H

#include "base/buf.h"

typedef struct nytp_quantiles {
    struct nytp_quantiles_bucket *buckets; /* by value, those that are not empty */
    uint32_t n, room;
} nytp_quantiles; /* all zero: no values yet */

/* Counts a value, seconds of 1e-6 and more (smaller ones are 0). `left` is the number of buckets that many of these
 * structs may take together; without any the value is counted in the nearest one. Returns 0 for want of memory. */
int nytp_quantiles_add(nytp_quantiles *q, double value, uint32_t *left);

/* The value below which such a part (0 to 1) of all lie; NAN if there is none. */
double nytp_quantiles_at(const nytp_quantiles *q, double part);

/* Appends so many columns from the least to the most of the values, each with a mark (see nytp_quantiles_mark); of one
 * value alone a |. */
void nytp_quantiles_put(nytp_buf *out, const nytp_quantiles *q, uint32_t columns, int is_linear);

/* A blank for nothing, else . : + # for each quarter of the most. */
char nytp_quantiles_mark(double value, double most);

void nytp_quantiles_free(nytp_quantiles *q); /* leaves no values */

#endif
