/* SPDX-License-Identifier: MIT */
/* arena.h - memory that lives and dies together. */
#ifndef NYTP_BASE_ARENA_H
#define NYTP_BASE_ARENA_H

#include "base/str.h"

typedef struct nytp_arena {
    struct nytp_arena_chunk *chunks;
    size_t used; /* of the newest chunk */
} nytp_arena; /* all zero is an empty arena */

/* Zeroed bytes aligned for any type, never moved; NULL when memory is short. */
void *nytp_arena_get(nytp_arena *a, size_t n);

/* A block of n bytes that begins with the old_n bytes of block p and replaces p; the bytes behind them are undefined. p
 * comes from nytp_arena_get or nytp_arena_more with old_n bytes, or is NULL with old_n 0. Returns NULL and leaves p as
 * it was when memory is short. */
void *nytp_arena_more(nytp_arena *a, void *p, size_t old_n, size_t n);

/* Slots of one size, each in cache lines of its own, from large blocks of the arena. */
#define NYTP_POOL_SLOT 128 /* two cache lines */

typedef struct nytp_pool {
    char *next;
    uint32_t left; /* in the newest block */
} nytp_pool; /* all zero is an empty pool */

/* NYTP_POOL_SLOT zeroed bytes; NULL when memory is short. */
void *nytp_arena_slot(nytp_arena *a, nytp_pool *pool);

/* A copy of s with a NUL behind it (not counted in n); its p is NULL when memory is short. */
nytp_str nytp_arena_str(nytp_arena *a, nytp_str s);

void nytp_arena_free(nytp_arena *a); /* leaves an empty arena */

#endif
