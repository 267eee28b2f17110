/* SPDX-License-Identifier: MIT */
/* ids.c - an array that doubles while at least a quarter of it is in use, and a table for ids behind its end. */
#include "model/ids.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16u
#define LAST_ROOM (1u << 28)

/* Entries of the table that the array has room for now move there. */
static int could_grow(nytp_ids *ids) {
    uint32_t room = ids->room ? ids->room * 2 : FIRST_ROOM;
    uint32_t *at = realloc(ids->at, room * sizeof *at);
    if (!at) return 0;
    memset(at + ids->room, 0, (room - ids->room) * sizeof *at);
    for (uint32_t id = ids->room; id < room && ids->others.n; id++) {
        at[id] = nytp_map_get(&ids->others, id);
        ids->used += at[id] != 0;
    }
    ids->at = at;
    ids->room = room;
    return 1;
}

static int may_grow(const nytp_ids *ids, uint64_t id) {
    if (!ids->room) return id < FIRST_ROOM;
    return ids->room < LAST_ROOM && id / 2 < ids->room && ids->used >= ids->room / 4;
}

int nytp_ids_set(nytp_ids *ids, uint64_t id, uint32_t number) {
    if (id >= ids->room && may_grow(ids, id) && !could_grow(ids)) return 0;
    if (id < ids->room) {
        ids->used += !ids->at[id];
        ids->at[id] = number;
        return 1;
    }
    uint32_t *other = nytp_map_at(&ids->others, id);
    if (other) *other = number;
    return other != NULL;
}

void nytp_ids_free(nytp_ids *ids) {
    free(ids->at);
    nytp_map_free(&ids->others);
    *ids = (nytp_ids){0};
}
