/* SPDX-License-Identifier: MIT */
/* grow.h - arrays that double inside an arena. The old memory of small arrays stays in the arena, that of large ones is
 * reused. */
#ifndef NYTP_MODEL_GROW_H
#define NYTP_MODEL_GROW_H

#include "base/arena.h"

/* Makes room for an element at index n of the array at *array (a pointer to a pointer to elements of that size), n of
 * which are in use. Returns the new zeroed element, or NULL when memory is short (the array is unchanged then). */
void *nytp_grow(nytp_arena *arena, void *array, uint32_t n, uint32_t *room, size_t size);

#endif
