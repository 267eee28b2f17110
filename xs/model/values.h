/* SPDX-License-Identifier: MIT */
/* values.h - a stream's metrics: their definitions, and values of its places, nodes and itself. Private to load. */
#ifndef NYTP_MODEL_VALUES_H
#define NYTP_MODEL_VALUES_H

#include "model/loader.h"

/* Each returns NYTP_OK, or what nytp_loader_no_memory returns. Those of nodes are counted in stretches, too. Values of
 * an undefined metric, of one beyond the limit, or of a thing that cannot have values are dropped. */
enum nytp_code nytp_values_define(nytp_loader *l, nytp_stream *s, const nytp_rec_metric *r);
enum nytp_code nytp_values_take(nytp_loader *l, nytp_stream *s, const nytp_rec_value *r);

/* Records of memory in older captures, as values of two metrics. */
enum nytp_code nytp_values_memory(const nytp_loader *l, const nytp_stream *s, enum nytp_metric_of of,
                                  const nytp_rec_memory *r);

#endif
