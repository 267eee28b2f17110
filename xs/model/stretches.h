/* SPDX-License-Identifier: MIT */
/* stretches.h - what passed when: a run's windows, one after the other, with the time of each calling context and each
 * place in them, and each context's values of metrics. Only of captures, if a load asks for it, and of the windows
 * that count (range.h). Where there are many windows, neighbours of a process are put together, so that the profile
 * stays small however long the run was. */
#ifndef NYTP_MODEL_STRETCHES_H
#define NYTP_MODEL_STRETCHES_H

#include "model/loader.h"

/* A record of a stream: its window, or a time in it. Return an nytp_code, with the loader's error set. */
enum nytp_code nytp_stretches_window(nytp_loader *l, nytp_stream *s, const nytp_rec_window *w);
enum nytp_code nytp_stretches_outside(nytp_loader *l, nytp_stream *s, int64_t ticks); /* of place 0 */
enum nytp_code nytp_stretches_charge(nytp_loader *l, nytp_stream *s, uint32_t node, int64_t ticks);
enum nytp_code nytp_stretches_place(nytp_loader *l, nytp_stream *s, uint32_t place, int64_t ticks);
enum nytp_code nytp_stretches_named(nytp_loader *l, nytp_stream *s, uint32_t named, int64_t value);
enum nytp_code nytp_stretches_value(nytp_loader *l, nytp_stream *s, uint32_t metric, uint32_t node, int64_t value);

/* When all is read: each context and place of the last stretch once, as in those before. Places have no times where a
 * process has none of its lines' own, as those are shared out when the whole is known. */
void nytp_stretches_finish(nytp_loader *l);

#endif
