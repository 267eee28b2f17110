/* SPDX-License-Identifier: MIT */
/* grow.c - arrays that double. The array's pointer is copied as bytes, as it may be of any type. */
#include "base/grow.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST (UINT32_MAX / 2) /* elements */

/* The room for an element behind n; 0: too many. */
static uint32_t room_for(uint32_t n, uint32_t first) {
    if (n >= MOST) return 0;
    return n < first ? first : n * 2;
}

void *nytp_grow(nytp_arena *arena, void *array, uint32_t n, uint32_t *room, size_t size) {
    char *elements;
    memcpy(&elements, array, sizeof elements);
    assert(n <= *room);
    if (n >= *room) {
        uint32_t bigger = room_for(n, 8);
        elements = bigger ? nytp_arena_more(arena, elements, *room * size, bigger * size) : NULL;
        if (!elements) return NULL;
        memcpy(array, &elements, sizeof elements);
        *room = bigger;
    }
    return memset(elements + n * size, 0, size);
}

void *nytp_grow_owned(void *array, uint32_t n, uint32_t *room, size_t size) {
    char *elements;
    memcpy(&elements, array, sizeof elements);
    if (n >= *room) {
        uint32_t bigger = room_for(n, 64);
        elements = bigger ? realloc(elements, bigger * size) : NULL;
        if (!elements) return NULL;
        memcpy(array, &elements, sizeof elements);
        *room = bigger;
    }
    return memset(elements + n * size, 0, size);
}
