/* SPDX-License-Identifier: MIT */
/* lookout.h - a thread that looks, at random moments, which statement each profiled perl of the process runs, and in
 * which node of its recorder: for lines of a profile whose calls are counted.
 *
 * One thread looks for all, with all signals blocked and a small stack. It neither stops a perl nor asks it, but reads
 * its memory. It begins with the first perl to be watched and ends with the last one. No thread survives a fork: in a
 * forked child it begins again when nytp_lookout_go_on is called there. */
#ifndef NYTP_SAMPLE_LOOKOUT_H
#define NYTP_SAMPLE_LOOKOUT_H

#include "base/buf.h"
#include "base/map.h"
#include "sample/unwind.h"

/* What a look found. perl's statement is read before the node and again behind it, as the program goes on between two
 * pieces of memory: at least one of the two was the statement when the node was read, or belonged to it. */
#define NYTP_SIGHTED 2
typedef struct nytp_sighting {
    uint64_t node;                      /* its address */
    nytp_frame statement[NYTP_SIGHTED]; /* cop 0: none that can be read, or the same as the first */
    uint32_t file[NYTP_SIGHTED];        /* where the file's name is in names; 0: not known */
    uint32_t samples;
    int64_t ns; /* up to these samples from those before */
} nytp_sighting;

typedef struct nytp_sightings {
    nytp_sighting *all;
    uint32_t n, room;
    nytp_map by_hash; /* 1 + index */
    nytp_buf names;   /* each with a NUL; the first byte is of none */
} nytp_sightings;

void nytp_sightings_free(nytp_sightings *s);

/* Where to look: addresses in this process, valid until nytp_lookout_end. */
typedef struct nytp_lookout_at {
    nytp_perl_at perl;
    const nytp_perl_layout *layout; /* borrowed */
    uint64_t node; /* of the pointer to the current node */
    uint64_t on;   /* of a pointer that is NULL while nothing is counted */
} nytp_lookout_at;

typedef struct nytp_lookout nytp_lookout;

/* Begins. hz: looks a second. NULL with the error. */
nytp_lookout *nytp_lookout_begin(const nytp_lookout_at *at, int64_t hz, nytp_error *e);

/* In a forked child: the thread that was watched goes on there. An nytp_code. */
int nytp_lookout_go_on(nytp_lookout *w, nytp_error *e);

/* No look counts between a call with 1 and one with 0. Takes NULL, too. */
void nytp_lookout_pause(nytp_lookout *w, int pauses);

/* What was found since the last call, to be freed by the caller. */
nytp_sightings nytp_lookout_take(nytp_lookout *w);

/* Ends. Takes NULL, too. */
void nytp_lookout_end(nytp_lookout *w);

/* Handlers of fork: to be called before other handlers are installed whose locks are held during nytp_lookout_take. */
void nytp_lookout_attend_forks(void);

#endif
