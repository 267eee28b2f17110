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

/* A copy with a NUL behind it (not counted); p is NULL when memory is short. */
nytp_str nytp_arena_str(nytp_arena *a, nytp_str s);

void nytp_arena_free(nytp_arena *a); /* leaves an empty arena */

#endif
