/* SPDX-License-Identifier: MIT */
/* stream.h - the bookkeeping of one stream while it is loaded: its ids, its clock, its chunks. Private to load.
 *
 * Every chunk with a window record must add up: the place ticks, and likewise the node ticks, plus the profiler's own
 * time equal the window's length, exactly and in the stream's own clock. A chunk that does not is named in a note. */
#ifndef NYTP_MODEL_STREAM_H
#define NYTP_MODEL_STREAM_H

#include "capture/reader.h"
#include "model/ids.h"
#include "model/profile.h"
#include "model/timeline.h"

typedef struct nytp_stream_sum {
    int64_t ticks;
    uint64_t deltas;
} nytp_stream_sum;

typedef struct nytp_stream {
    uint32_t process;                      /* of the profile */
    nytp_ids timed_nodes;                  /* labels of calls to ids of nodes */
    nytp_ids files, subs, places, nodes;   /* id to index + 1 */
    nytp_ids tails;                        /* ids of nodes that are tail calls, to 1 */
    nytp_ids metrics, labels;              /* id to index + 1 */
    nytp_ids timed;                        /* label of calls to the id of their sub */
    double scale;                          /* from the stream's ticks to the profile's; 0 when they are the same */
    int64_t start_ticks, last_ticks;
    int64_t earlier;                       /* elapsed in captures of this process read before, profile ticks */
    uint64_t next_chunk;
    int64_t anchor_ticks[2];               /* first and last */
    uint64_t anchor_ns[2];
    uint64_t chunk;                        /* being read; 0 before the first */
    nytp_chunk_info info;                  /* its head */
    nytp_stream_sum place_sum, node_sum;   /* its deltas */
    nytp_rec_window window;
    int32_t has_window;
    uint64_t last_file;                    /* the highest id of a file, as far as ids are dense */
    nytp_str sources;                      /* of a forked child: the capture with its source; else empty */
    uint64_t sources_until;                /* for files with ids up to this one */
    uint64_t parent_start;                 /* of the parent process */
    nytp_str store;                        /* the store beside the capture with texts of its files; else empty */
    nytp_timeline timeline;                /* if the loader keeps calls */
    uint64_t began, ticks_per_second;      /* in ns since the epoch, and the clock's rate; 0: unknown */
    int64_t counted;                       /* of a part: ticks of the windows that count; see range.h, as the next */
    int32_t is_part, is_weighed, has_begun, replaces;
    int32_t weight;                        /* of the chunk being read */
    int32_t is_ring;                       /* 1: only the last windows are kept (option ring) */
    int64_t dropped;                       /* then: ticks before them */
    uint32_t stretch;                      /* 1 + index of the stretch of the chunk stretch_of */
    uint64_t stretch_of;
    int32_t is_sampled;                    /* 1: lines are traced now and then (option duty) */
    int32_t is_seen;                       /* 1: they are seen in samples (property lines) */
} nytp_stream;

/* Ticks of the stream's clock as ticks of the profile's. */
int64_t nytp_stream_scaled(const nytp_stream *s, int64_t ticks);
float nytp_stream_spread(const nytp_stream *s, float spread);

/* The real time when the clock has shown so many ticks, in ns since the epoch: by the latest anchor before, as a clock
 * of CPU time stands still while the process waits. */
uint64_t nytp_stream_epoch(const nytp_stream *s, int64_t ticks);

/* A length in ticks as ns. */
int64_t nytp_stream_ns(const nytp_stream *s, int64_t ticks);

/* A record of chunk `number` of the file arrives; settles the chunk before if this is a new one. */
void nytp_stream_enter(nytp_stream *s, nytp_profile *p, uint64_t number, const nytp_chunk_info *info);

/* Settles the chunk being read: checks its sums and moves the process's end. */
void nytp_stream_settle(nytp_stream *s, nytp_profile *p);

/* Of a ring, when all is read: notes how much of the process there is. */
void nytp_stream_tell_ring(const nytp_stream *s, nytp_profile *p);

/* The process or the capture ends, and with it the running calls. */
void nytp_stream_end_calls(nytp_stream *s, nytp_profile *p);

/* Forgets all ids: a new start of the process follows in this capture. */
void nytp_stream_forget(nytp_stream *s);

/* The window record of the chunk being read: kept for its settling, and added to the process's totals. */
void nytp_stream_window(nytp_stream *s, nytp_profile *p, const nytp_rec_window *w);

/* The rate its anchors show, or 0 where they are less than 10 ms apart. Meaningful for a TSC only: other clocks have a
 * known rate, and a CPU clock does not advance with the anchors'. */
uint64_t nytp_stream_rate(const nytp_stream *s);

#endif
