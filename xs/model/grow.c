/* SPDX-License-Identifier: MIT */
/* grow.c - arrays that double inside an arena. */
#include "model/grow.h"

#include <assert.h>
#include <string.h>

void *nytp_grow(nytp_arena *arena, void *array, uint32_t n, uint32_t *room, size_t size) {
    char *elements;
    memcpy(&elements, array, sizeof elements);
    assert(n <= *room);
    if (n >= *room) {
        if (n >= UINT32_MAX / 2) return NULL;
        uint32_t bigger = n < 8 ? 8 : n * 2;
        elements = nytp_arena_more(arena, elements, *room * size, bigger * size);
        if (!elements) return NULL;
        memcpy(array, &elements, sizeof elements);
        *room = bigger;
    }
    return memset(elements + n * size, 0, size);
}
