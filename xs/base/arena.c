/* SPDX-License-Identifier: MIT */
/* arena.c - memory that lives and dies together: a list of zeroed chunks, filled one after the other. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* Above malloc's mmap threshold, so that the host's heap is not fragmented; the fuzzer's are smaller (xt/fuzz.sh). */
#ifndef NYTP_ARENA_CHUNK
#define NYTP_ARENA_CHUNK ((size_t)256 << 10)
#endif
#define ALIGNMENT _Alignof(max_align_t)

#define LARGE (NYTP_ARENA_CHUNK / 4) /* a block above this size has a chunk of its own */

struct nytp_arena_chunk {
    struct nytp_arena_chunk *next; /* older */
    struct nytp_arena_chunk *before;
    size_t size;
    _Alignas(max_align_t) unsigned char bytes[];
};

static struct nytp_arena_chunk *new_chunk(size_t size) {
    struct nytp_arena_chunk *c;

    if (size > SIZE_MAX - sizeof *c) return NULL;
    c = calloc(1, sizeof *c + size);
    if (c) c->size = size;
    return c;
}

/* Puts c between two neighbours in the list; either may be NULL. */
static void link_chunk(nytp_arena *a, struct nytp_arena_chunk *c, struct nytp_arena_chunk *before,
                       struct nytp_arena_chunk *next) {
    c->before = before;
    c->next = next;
    if (before) before->next = c;
    else a->chunks = c;
    if (next) next->before = c;
}

/* A large block is linked behind the newest chunk, so that the rest of the newest chunk stays in use. */
static void *get_large(nytp_arena *a, size_t n) {
    struct nytp_arena_chunk *c = new_chunk(n);

    if (!c) return NULL;
    if (!a->chunks) a->used = n;
    link_chunk(a, c, a->chunks, a->chunks ? a->chunks->next : NULL);
    return c->bytes;
}

static size_t aligned(size_t n) {
    return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *nytp_arena_get(nytp_arena *a, size_t n) {
    struct nytp_arena_chunk *c = a->chunks;
    void *p;

    if (n > SIZE_MAX - ALIGNMENT) return NULL;
    n = aligned(n);
    if (n > LARGE) return get_large(a, n);
    if (!c || c->size - a->used < n) {
        c = new_chunk(NYTP_ARENA_CHUNK);
        if (!c) return NULL;
        link_chunk(a, c, NULL, a->chunks);
        a->used = 0;
    }
    p = c->bytes + a->used;
    a->used += n;
    return p;
}

/* The C library moves large blocks without copying them, by their pages. */
static void *grow_large(nytp_arena *a, void *p, size_t n) {
    struct nytp_arena_chunk *c = (void *)((unsigned char *)p - offsetof(struct nytp_arena_chunk, bytes));

    if (n > SIZE_MAX - sizeof *c) return NULL;
    struct nytp_arena_chunk *grown = realloc(c, sizeof *c + n);
    if (!grown) return NULL;
    if (!grown->before) a->used = n;
    grown->size = n;
    link_chunk(a, grown, grown->before, grown->next);
    return grown->bytes;
}

void *nytp_arena_more(nytp_arena *a, void *p, size_t old_n, size_t n) {
    void *grown;

    if (n > SIZE_MAX - ALIGNMENT) return NULL;
    if (p && aligned(old_n) > LARGE) return grow_large(a, p, aligned(n));
    grown = nytp_arena_get(a, n);
    if (grown && p) memcpy(grown, p, old_n);
    return grown;
}

/* Slots come from large blocks: slots scattered among the program's own memory cost 2 % of perltidy's run time. */
#define SLOTS_A_BLOCK 2047

void *nytp_arena_slot(nytp_arena *a, nytp_pool *pool) {
    if (!pool->left) {
        char *block = nytp_arena_get(a, (SLOTS_A_BLOCK + 1) * NYTP_POOL_SLOT);
        if (!block) return NULL;
        pool->next = block + NYTP_POOL_SLOT - (uintptr_t)block % NYTP_POOL_SLOT;
        pool->left = SLOTS_A_BLOCK;
    }
    void *slot = pool->next;
    pool->next += NYTP_POOL_SLOT;
    pool->left--;
    return slot;
}

nytp_str nytp_arena_str(nytp_arena *a, nytp_str s) {
    char *p = s.n < SIZE_MAX ? nytp_arena_get(a, s.n + 1) : NULL;

    if (p && s.n) memcpy(p, s.p, s.n);
    return (nytp_str){p, p ? s.n : 0};
}

void nytp_arena_free(nytp_arena *a) {
    while (a->chunks) {
        struct nytp_arena_chunk *next = a->chunks->next;

        free(a->chunks);
        a->chunks = next;
    }
    a->used = 0;
}
