/* grow.c - arrays that double inside an arena. */
#include "model/grow.h"

#include <string.h>

void *nytp_grow(nytp_arena *arena, void *array, uint32_t n, uint32_t *room, size_t size) {
    void *old;
    memcpy(&old, array, sizeof old);
    if (n < *room) return memset((char *)old + n * size, 0, size);
    if (n >= UINT32_MAX / 2) return NULL;
    uint32_t bigger = n < 8 ? 8 : n * 2;
    void *new = nytp_arena_get(arena, bigger * size);
    if (!new) return NULL;
    if (n) memcpy(new, old, n * size);
    memcpy(array, &new, sizeof new);
    *room = bigger;
    return (char *)new + n * size;
}
