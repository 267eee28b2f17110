/* SPDX-License-Identifier: MIT */
/* map.c - a hash table from 64-bit keys to 32-bit numbers: open addressing, linear probing, at most 3/4 full. */
#include "base/map.h"

#include <assert.h>
#include <stdlib.h>

#define FIRST_CAPACITY 16u
#define LAST_CAPACITY (1u << 31)

struct nytp_map_entry {
    uint64_t key;
    uint32_t number;
    uint32_t taken; /* 1: this entry is in use */
};

/* Keys are often small and dense or share their low bits, so a multiplication spreads them. */
static uint32_t home_of(uint64_t key, uint32_t mask) { return (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & mask; }

/* The entry that holds key, or the free one where it belongs. */
static struct nytp_map_entry *find(struct nytp_map_entry *entries, uint32_t mask, uint64_t key) {
    uint32_t i = home_of(key, mask);

    while (entries[i].taken && entries[i].key != key) i = (i + 1) & mask;
    return &entries[i];
}

static int could_grow(nytp_map *m) {
    uint32_t old = m->entries ? m->mask + 1 : 0;
    uint32_t capacity = old ? old * 2 : FIRST_CAPACITY;
    struct nytp_map_entry *entries = old < LAST_CAPACITY ? calloc(capacity, sizeof *entries) : NULL;

    if (!entries) return 0;
    for (uint32_t i = 0; i < old; i++)
        if (m->entries[i].taken) *find(entries, capacity - 1, m->entries[i].key) = m->entries[i];
    free(m->entries);
    m->entries = entries;
    m->mask = capacity - 1;
    return 1;
}

uint32_t nytp_map_get(const nytp_map *m, uint64_t key) {
    return m->entries ? find(m->entries, m->mask, key)->number : 0;
}

uint32_t *nytp_map_at(nytp_map *m, uint64_t key) {
    struct nytp_map_entry *e = m->entries ? find(m->entries, m->mask, key) : NULL;

    if (e && e->taken) return &e->number;
    if (!e || m->n >= m->mask / 4 * 3) {
        if (!could_grow(m)) return NULL;
        e = find(m->entries, m->mask, key);
    }
    e->taken = 1;
    e->key = key;
    m->n++;
    assert(m->n <= m->mask); /* a free entry ends each search */
    return &e->number;
}

/* An entry behind the hole moves into it unless it is between its home and there; then its own is the hole. */
void nytp_map_drop(nytp_map *m, uint64_t key) {
    struct nytp_map_entry *all = m->entries, *e = all ? find(all, m->mask, key) : NULL;
    if (!e || !e->taken) return;
    uint32_t hole = (uint32_t)(e - all);
    for (uint32_t i = (hole + 1) & m->mask; all[i].taken; i = (i + 1) & m->mask) {
        uint32_t from_home = (i - home_of(all[i].key, m->mask)) & m->mask, from_hole = (i - hole) & m->mask;
        if (from_home < from_hole) continue;
        all[hole] = all[i];
        hole = i;
    }
    all[hole] = (struct nytp_map_entry){0};
    m->n--;
}

void nytp_map_free(nytp_map *m) {
    free(m->entries);
    *m = (nytp_map){0};
}
