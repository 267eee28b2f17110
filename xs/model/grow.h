/* SPDX-License-Identifier: MIT */
/* grow.h - arrays that double inside an arena. Small ones leave their old places behind, large ones nothing. */
#ifndef NYTP_MODEL_GROW_H
#define NYTP_MODEL_GROW_H

#include "base/arena.h"

/* Makes room for an element at index n of the array at *array (a pointer to a pointer to elements of that size), n of
 * which are in use. Returns the new zeroed element, or NULL when memory is short (the array is then as before). */
void *nytp_grow(nytp_arena *arena, void *array, uint32_t n, uint32_t *room, size_t size);

#endif
