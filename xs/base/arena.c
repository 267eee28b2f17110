/* arena.c - memory that lives and dies together: a list of zeroed chunks, filled one after the other. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)256 << 10) /* too large to lie among the small things of the program it serves */
#define ALIGNMENT _Alignof(max_align_t)

struct nytp_arena_chunk {
    struct nytp_arena_chunk *next; /* older */
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

/* Large blocks get a chunk of their own behind the newest, whose rest stays in use. */
static void *get_large(nytp_arena *a, size_t n) {
    struct nytp_arena_chunk *c = new_chunk(n);

    if (!c) return NULL;
    if (a->chunks) {
        c->next = a->chunks->next;
        a->chunks->next = c;
    } else {
        a->chunks = c;
        a->used = n;
    }
    return c->bytes;
}

void *nytp_arena_get(nytp_arena *a, size_t n) {
    struct nytp_arena_chunk *c = a->chunks;
    void *p;

    if (n > SIZE_MAX - ALIGNMENT) return NULL;
    n = (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!c || c->size - a->used < n) {
        if (n > CHUNK_SIZE / 4) return get_large(a, n);
        c = new_chunk(CHUNK_SIZE);
        if (!c) return NULL;
        c->next = a->chunks;
        a->chunks = c;
        a->used = 0;
    }
    p = c->bytes + a->used;
    a->used += n;
    return p;
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
