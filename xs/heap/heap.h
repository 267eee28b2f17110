/* SPDX-License-Identifier: MIT */
/* heap.h - what a thread has taken from the C library's allocator and given back, as libnytprof-heap.so counts it. */
#ifndef NYTP_HEAP_HEAP_H
#define NYTP_HEAP_HEAP_H

#include <stdint.h>

/* Sums since the thread began; a forked child goes on with those of the thread that has forked. A block has the size
 * that the allocator has in fact given, when it is taken as when it is given back: both sums of a block are equal. A
 * block that realloc makes larger adds what it grew by, a smaller one what it shrank by. */
typedef struct nytp_heap {
    uint64_t calls;            /* that gave a block, or made it larger */
    uint64_t allocated, freed; /* bytes */
} nytp_heap;

typedef struct nytp_heap_mark { /* what they were at an event */
    nytp_heap sums;
    const nytp_heap *of; /* where their thread has them */
} nytp_heap_mark;

/* The sums of the running thread, valid while it runs. The function itself is NULL in a process without the library,
 * which LD_PRELOAD loads. */
extern const nytp_heap *nytp_heap_here(void) __attribute__((weak, visibility("default")));

#endif
