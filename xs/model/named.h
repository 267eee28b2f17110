/* SPDX-License-Identifier: MIT */
/* named.h - what programs have given names to: spans and counts, as sums over all streams, and marks. Labels are for
 * the lengths of calls, too, which go to their subs. */
#ifndef NYTP_MODEL_NAMED_H
#define NYTP_MODEL_NAMED_H

#include "model/loader.h"

/* The records of a stream. Names beyond some thousands are left out. */
enum nytp_code nytp_named_label(nytp_loader *l, nytp_stream *s, const nytp_rec_label *r);
enum nytp_code nytp_named_tally(nytp_loader *l, nytp_stream *s, const nytp_rec_tally *r);
enum nytp_code nytp_named_bucket(nytp_loader *l, const nytp_stream *s, const nytp_rec_bucket *r);
enum nytp_code nytp_named_mark(nytp_loader *l, const nytp_stream *s, const nytp_rec_mark *r);

/* Those of p->named of that kind with something in them, the largest sum first. The list is the caller's to free; NULL
 * when memory is short. */
const nytp_labelled **nytp_named_order(const nytp_profile *p, enum nytp_label_of of, uint32_t *n);

#endif
