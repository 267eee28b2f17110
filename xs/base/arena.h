/* SPDX-License-Identifier: MIT */
/* arena.h - memory that lives and dies together. */
#ifndef NYTP_BASE_ARENA_H
#define NYTP_BASE_ARENA_H

#include "base/str.h"

typedef struct nytp_arena {
    struct nytp_arena_chunk *chunks;
    size_t used; /* of the newest chunk */
} nytp_arena; /* all zero is an empty one */

/* Zeroed bytes aligned for any type, never moved; NULL when memory is short. */
void *nytp_arena_get(nytp_arena *a, size_t n);

/* A block of n bytes that begins with the old_n bytes of block p, which is gone; what is behind them has no certain
 * value. p is what arena_get or arena_more gave for old_n bytes, or NULL for 0. NULL, and p as before, when memory is
 * short. */
void *nytp_arena_more(nytp_arena *a, void *p, size_t old_n, size_t n);

/* Slots of one size, each in cache lines of its own, from large blocks of the arena. */
#define NYTP_POOL_SLOT 128 /* two cache lines */

typedef struct nytp_pool {
    char *next;
    uint32_t left; /* in the newest block */
} nytp_pool; /* all zero is an empty one */

/* NYTP_POOL_SLOT zeroed bytes; NULL when memory is short. */
void *nytp_arena_slot(nytp_arena *a, nytp_pool *pool);

/* A copy with a NUL behind it (not counted); p is NULL when memory is short. */
nytp_str nytp_arena_str(nytp_arena *a, nytp_str s);

void nytp_arena_free(nytp_arena *a); /* leaves an empty arena */

#endif
