/* SPDX-License-Identifier: MIT */
/* table.h - finds things by what makes them the same: a name, or several fields.
 *
 * The things are in a list of their owner's, and the table has their numbers there, from 1, by a hash. Equal hashes are
 * resolved by a comparison of the things. Where the key is a number already, an address or an id, a map does. All is
 * inline, so that a comparison costs no call: a profile is loaded by millions of these. */
#ifndef NYTP_BASE_TABLE_H
#define NYTP_BASE_TABLE_H

#include "base/map.h"

/* 1 if the thing of that number in `of` is the same as `like`. */
typedef int nytp_is_same(const void *of, uint32_t number, const void *like);

typedef struct nytp_table {
    nytp_map numbers; /* by hash, or where another thing has that by the next free number */
} nytp_table; /* all zero is an empty table */

/* The number of the thing that is the same as `like`; 0 if there is none. */
static inline uint32_t nytp_table_get(const nytp_table *t, uint64_t hash, nytp_is_same *is_same, const void *of,
                                      const void *like) {
    uint32_t number;
    while ((number = nytp_map_get(&t->numbers, hash)) != 0 && !is_same(of, number, like)) hash++;
    return number;
}

/* The address of that number, 0 if the thing is new: it is the caller's to set, with the thing in the list. Valid until
 * the next call. NULL when memory is short. */
static inline uint32_t *nytp_table_at(nytp_table *t, uint64_t hash, nytp_is_same *is_same, const void *of,
                                      const void *like) {
    uint32_t *number;
    while ((number = nytp_map_at(&t->numbers, hash)) && *number && !is_same(of, *number, like)) hash++;
    return number;
}

static inline void nytp_table_free(nytp_table *t) { nytp_map_free(&t->numbers); } /* leaves an empty table */

#endif
