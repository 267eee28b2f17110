/* SPDX-License-Identifier: MIT */
/* grow.h - arrays that double. */
#ifndef NYTP_BASE_GROW_H
#define NYTP_BASE_GROW_H

#include "base/arena.h"

/* Both make room for an element at index n of the array at *array (a pointer to a pointer to elements of that size), n
 * of which are in use, and return the new zeroed element, or NULL when memory is short (the array is unchanged then).
 * Elements may move. */

/* Inside an arena. The old memory of small arrays stays in the arena, that of large ones is reused. */
void *nytp_grow(nytp_arena *arena, void *array, uint32_t n, uint32_t *room, size_t size);

/* By realloc: the array's owner frees it. For arrays that live long beside a program, whose memory is to be its own. */
void *nytp_grow_owned(void *array, uint32_t n, uint32_t *room, size_t size);

#endif
