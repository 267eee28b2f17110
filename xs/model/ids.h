/* SPDX-License-Identifier: MIT */
/* ids.h - maps a stream's ids to numbers. Most ids are dense, as they count up: an array holds them, a table the
 * others. Private to load. */
#ifndef NYTP_MODEL_IDS_H
#define NYTP_MODEL_IDS_H

#include "base/map.h"

typedef struct nytp_ids {
    uint32_t *at; /* by id */
    uint32_t room, used; /* length of `at`, and number of entries that are not 0 */
    nytp_map others;
} nytp_ids; /* all zero is empty */

/* The number of an id, or 0. */
static inline uint32_t nytp_ids_get(const nytp_ids *ids, uint64_t id) {
    return id < ids->room ? ids->at[id] : nytp_map_get(&ids->others, id);
}

/* Gives an id its number, which is not 0. Returns 0 when memory is short. */
int nytp_ids_set(nytp_ids *ids, uint64_t id, uint32_t number);

void nytp_ids_free(nytp_ids *ids); /* leaves it empty */

#endif
