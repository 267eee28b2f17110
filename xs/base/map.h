/* SPDX-License-Identifier: MIT */
/* map.h - a hash table from 64-bit keys to 32-bit numbers. Things whose key is more than a number, such as a name, are
 * in a table (table.h). */
#ifndef NYTP_BASE_MAP_H
#define NYTP_BASE_MAP_H

#include <stdint.h>

typedef struct nytp_map {
    struct nytp_map_entry *entries;
    uint32_t mask; /* capacity - 1; 0 while empty */
    uint32_t n;
} nytp_map; /* all zero is an empty map */

/* The number kept under key, or 0. */
uint32_t nytp_map_get(const nytp_map *m, uint64_t key);

/* The address of key's number, added as 0 if key is new; valid until the next call. NULL when memory is short for a new
 * key. A number left at 0 is counted in m->n but cannot be told from an absent key. */
uint32_t *nytp_map_at(nytp_map *m, uint64_t key);

/* Removes a key; takes one that is not there, too. */
void nytp_map_drop(nytp_map *m, uint64_t key);

void nytp_map_free(nytp_map *m); /* leaves an empty map */

#endif
