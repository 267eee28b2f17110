/* SPDX-License-Identifier: MIT */
/* order.h - which rows come first, and how hot a row is. */
#ifndef NYTP_MODEL_ORDER_H
#define NYTP_MODEL_ORDER_H

#include "model/profile.h"

enum nytp_order { NYTP_ORDER_EXCLUSIVE, NYTP_ORDER_INCLUSIVE, NYTP_ORDER_CALLS, NYTP_ORDER_NAME };

/* The subs that were called, most first, ties by name; *n is their number. The caller frees the array; NULL when memory
 * is short. */
uint32_t *nytp_order_subs(const nytp_profile *p, enum nytp_order by, uint32_t *n);

/* The same of all that has time or calls, the main program and its phases too; uncalled 1: and of the other subs. */
uint32_t *nytp_order_all(const nytp_profile *p, enum nytp_order by, int uncalled, uint32_t *n);

/* The same of one file's subs. */
uint32_t *nytp_order_file_subs(const nytp_profile *p, const nytp_file *f, enum nytp_order by, uint32_t *n);

/* The files worth a row, most statement time first, ties by name; as above. */
uint32_t *nytp_order_files(const nytp_profile *p, uint32_t *n);

/* 0 (cold) to 5: ticks as a share of the run, in logarithmic steps: 0.03 %, 0.1 %, 0.3 %, 1 %, 2 %. */
int nytp_order_heat(int64_t ticks, int64_t total);

#endif
