/* SPDX-License-Identifier: MIT */
/* shares.h - lines of streams whose calls were counted and whose statements were seen in samples (property lines):
 * shares the time of each sub among the lines in which samples found it. Private to load. */
#ifndef NYTP_MODEL_SHARES_H
#define NYTP_MODEL_SHARES_H

#include "base/map.h"
#include "capture/format.h"
#include "model/intern.h"

typedef struct nytp_seen_spot { /* of the profile */
    uint32_t node, place;
    int64_t samples, ns;
} nytp_seen_spot;

typedef struct nytp_shares {
    nytp_seen_spot *spots;
    uint32_t spots_n, spots_room;
    nytp_map by_pair; /* 1 + index of the spot, by its node and place */
    int64_t *times;   /* by node: to be shared */
    uint32_t times_n;
} nytp_shares; /* all zero at first */

/* All return an nytp_code. Adds ticks of a node; samples of a node and a place. */
enum nytp_code nytp_shares_time(nytp_shares *s, uint32_t node, int64_t ticks);
enum nytp_code nytp_shares_seen(nytp_shares *s, nytp_profile *p, uint32_t node, uint32_t place,
                                const nytp_rec_seen *seen);

/* When all streams are read: gives the places their time, and says in the estimate and the notes what it is worth. */
enum nytp_code nytp_shares_deal(nytp_shares *s, nytp_profile *p, nytp_intern *in);

void nytp_shares_free(nytp_shares *s);

#endif
