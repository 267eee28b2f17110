/* SPDX-License-Identifier: MIT */
/* growth.h - how many values (SVs) lines and calls have made and freed, and how many bytes (option memory).
 *
 * perl keeps the number of its values. A hook with this option asks for it where an event begins: what it grew by since
 * the event before belongs to the place and the node that are current until then. At its end the hook asks again, so
 * that values of the profiler's own are no growth of the program's. A temporary value is about to be freed, and counts
 * as none: otherwise what a sub returns would be made there and freed by its caller.
 *
 * Bytes are those of libnytprof-heap.so (heap/heap.h), in a process that has loaded it, by the same differences. */
#ifndef NYTP_PERL_GROWTH_H
#define NYTP_PERL_GROWTH_H

#include "perl/glue.h"

enum nytp_grows { NYTP_GROWS_NOTHING, NYTP_GROWS_VALUES, NYTP_GROWS_BYTES }; /* the last one: values and bytes */

/* The profiler has been loaded: says so where the option is ignored, or bytes are not counted though the library is
 * there. */
void nytp_growth_check(pTHX_ nytp_glue *g);

/* Profiling has been switched on. Does nothing without the option, and where values of counters are not written. */
void nytp_growth_begin(pTHX_ nytp_glue *g);

/* Adds to the counters of the current place and node: more, or if it is below zero, fewer values. */
void nytp_growth_add(nytp_glue *g, int64_t more);

/* The same as the two below, for values and bytes. */
void nytp_growth_count_bytes(pTHX_ nytp_glue *g);
void nytp_growth_go_on_with_bytes(nytp_glue *g);

NYTP_HOT int64_t nytp_growth_now(pTHX) { return (int64_t)PL_sv_count - (int64_t)PL_tmps_ix; }

/* An event begins, or perl's part of it has ended. */
NYTP_HOT void nytp_growth_count(pTHX_ nytp_glue *g) {
    if (g->grows != NYTP_GROWS_VALUES) {
        if (g->grows) nytp_growth_count_bytes(aTHX_ g);
        return;
    }
    int64_t now = nytp_growth_now(aTHX), more = now - g->values;
    g->values = now;
    if (more) nytp_growth_add(g, more);
}

/* The program goes on after what the profiler has done. */
NYTP_HOT void nytp_growth_go_on(pTHX_ nytp_glue *g) {
    g->values = nytp_growth_now(aTHX);
    if (NYTP_UNLIKELY(g->grows == NYTP_GROWS_BYTES)) nytp_growth_go_on_with_bytes(g);
}

/* Work of the profiler outside events, as nytp_cold_begin and nytp_cold_end (record/events.h): its bytes are not the
 * program's either. */
typedef struct nytp_growth_work {
    nytp_work work;
    nytp_heap since; /* what the program has taken and given back since the event before */
} nytp_growth_work;

nytp_heap nytp_growth_since(nytp_heap before);

static inline nytp_growth_work nytp_growth_cold_begin(nytp_glue *g) {
    nytp_growth_work w = {.work = nytp_cold_begin(&g->r)};
    if (g->grows == NYTP_GROWS_BYTES) w.since = nytp_growth_since(g->bytes.sums);
    return w;
}

static inline void nytp_growth_cold_end(nytp_glue *g, nytp_growth_work w) {
    if (g->grows == NYTP_GROWS_BYTES) g->bytes.sums = nytp_growth_since(w.since);
    nytp_cold_end(&g->r, w.work);
}

#endif
