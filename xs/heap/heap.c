/* SPDX-License-Identifier: MIT */
/* heap.c - libnytprof-heap.so: counts what each thread takes from the allocator, and what it gives back.
 *
 * Loaded by LD_PRELOAD, its functions stand before those of the C library, or of another allocator that is loaded as a
 * library, call these, and change nothing else: no size, no alignment, no errno, and no failure. The counters are
 * thread-local, so no event takes a lock. A program with an allocator in itself, or under a sanitizer, never calls
 * these functions, and nothing is counted. */
#define _GNU_SOURCE 1 /* RTLD_NEXT. NOLINT(bugprone-reserved-identifier): that is its name */

#include "heap/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))

EXPORT void *reallocarray(void *block, size_t n, size_t size);
EXPORT void free_sized(void *block, size_t size);
EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size);
EXPORT void *pvalloc(size_t size);

OF_THREAD nytp_heap sums;
OF_THREAD int is_finding; /* 1: in find */

const nytp_heap *nytp_heap_here(void) { return &sums; }

/* ---- the functions behind these ---- */

static struct next {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
} next;

/* The loader may call these functions before any constructor, and dlsym may call them while it looks for those behind
 * them: what dlsym asks for is taken from a reserve, and stays taken. */
static _Alignas(16) unsigned char reserve[4096];
static atomic_size_t reserve_used;

static int is_of_reserve(const void *block) { return (uintptr_t)block - (uintptr_t)reserve < sizeof reserve; }

static void *take_from_reserve(size_t size) {
    size_t room = (size + 15) & ~(size_t)15, at;
    if (size > sizeof reserve) return NULL;
    at = atomic_fetch_add(&reserve_used, room);
    return at + room <= sizeof reserve ? reserve + at : NULL;
}

static void find_one(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

/* Two threads find the same. malloc comes last, as it tells that the others are known. */
static void find(void) {
    int saved = errno;
    is_finding = 1;
    find_one(&next.calloc, "calloc");
    find_one(&next.realloc, "realloc");
    find_one(&next.free, "free");
    find_one(&next.posix_memalign, "posix_memalign");
    find_one(&next.aligned_alloc, "aligned_alloc");
    find_one(&next.memalign, "memalign");
    find_one(&next.valloc, "valloc");
    find_one(&next.pvalloc, "pvalloc");
    find_one(&next.malloc, "malloc");
    is_finding = 0;
    errno = saved;
}

/* 1 if the functions behind these are known, or else in a call by dlsym, 0. */
static inline int is_ready(void) {
    if (__builtin_expect(next.malloc != NULL, 1)) return 1;
    if (is_finding) return 0;
    find();
    return 1;
}

/* ---- counting ---- */

/* musl's functions call each other, so also these: before has the sums without what the next function did there. */
static inline void *taken(void *block, nytp_heap before) {
    sums = before;
    if (!block) return NULL;
    sums.calls++;
    sums.allocated += malloc_usable_size(block);
    return block;
}

EXPORT void *malloc(size_t size) {
    if (!is_ready()) return take_from_reserve(size);
    void *block = next.malloc(size);
    return taken(block, sums);
}

EXPORT void *calloc(size_t n, size_t size) {
    nytp_heap before = sums;
    if (is_ready()) return taken(next.calloc(n, size), before);
    return size && n > sizeof reserve / size ? NULL : take_from_reserve(n * size);
}

EXPORT void free(void *block) {
    if (!block || is_of_reserve(block)) return;
    if (!is_ready()) return;
    sums.freed += malloc_usable_size(block);
    next.free(block);
}

static void *move_from_reserve(const void *block, size_t size) {
    size_t most = (size_t)(reserve + sizeof reserve - (const unsigned char *)block);
    void *moved = malloc(size);
    return moved ? memcpy(moved, block, size < most ? size : most) : NULL;
}

/* Without a result a size of 0 has freed the block, and else nothing has happened. */
EXPORT void *realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    if (is_of_reserve(block)) return move_from_reserve(block, size);
    if (!is_ready()) return NULL;
    nytp_heap before = sums;
    size_t had = malloc_usable_size(block);
    void *now = next.realloc(block, size);
    size_t has = now ? malloc_usable_size(now) : size ? had : 0;
    sums = before;
    if (has > had) {
        sums.calls++;
        sums.allocated += has - had;
    } else sums.freed += had - has;
    return now;
}

/* C libraries that have these functions do the same, so other allocators need not. */
EXPORT void *reallocarray(void *block, size_t n, size_t size) {
    size_t all;
    if (!__builtin_mul_overflow(n, size, &all)) return realloc(block, all);
    errno = ENOMEM;
    return NULL;
}

EXPORT void free_sized(void *block, size_t size) {
    (void)size;
    free(block);
}

EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size) {
    (void)alignment, (void)size;
    free(block);
}

/* ---- blocks that are aligned ---- */

static void *lacking(void) {
    errno = ENOMEM;
    return NULL;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t size) {
    nytp_heap before = sums;
    int code = is_ready() && next.posix_memalign ? next.posix_memalign(block, alignment, size) : ENOMEM;
    if (!code) taken(*block, before);
    return code;
}

EXPORT void *aligned_alloc(size_t alignment, size_t size) {
    nytp_heap before = sums;
    return is_ready() && next.aligned_alloc ? taken(next.aligned_alloc(alignment, size), before) : lacking();
}

EXPORT void *memalign(size_t alignment, size_t size) {
    nytp_heap before = sums;
    return is_ready() && next.memalign ? taken(next.memalign(alignment, size), before) : lacking();
}

EXPORT void *valloc(size_t size) {
    nytp_heap before = sums;
    return is_ready() && next.valloc ? taken(next.valloc(size), before) : lacking();
}

EXPORT void *pvalloc(size_t size) {
    nytp_heap before = sums;
    return is_ready() && next.pvalloc ? taken(next.pvalloc(size), before) : lacking();
}

/* ---- the environment ---- */

static int is_own(const char *name, size_t n) {
    static const char own[] = "/libnytprof-heap.so";
    return n >= sizeof own - 1 && memcmp(name + n - (sizeof own - 1), own, sizeof own - 1) == 0;
}

/* Takes this library out of the list, and leaves the rest of it as it is. */
static void leave_out(char *list) {
    for (char *at = list; *at;) {
        size_t n = strcspn(at, " :");
        char *rest = at + n + (at[n] != 0);
        if (!is_own(at, n)) {
            at = rest;
            continue;
        }
        if (!*rest && at > list) at--;
        memmove(at, rest, strlen(rest) + 1);
    }
}

/* The variable of `nytprof run`: only this program is profiled. So it and what it starts have the environment that they
 * would have without the profiler. */
__attribute__((constructor)) static void begin(void) {
    char *list = getenv("LD_PRELOAD");
    if (!getenv("NYTPROF_HEAP") || !list) return;
    unsetenv("NYTPROF_HEAP");
    leave_out(list);
    if (!*list) unsetenv("LD_PRELOAD");
}
