/* SPDX-License-Identifier: MIT */
/* alloc.h - memory that runs short at a chosen allocation. Programs and libraries that are linked with alloc.c and
 * ALLOC_FLAGS of t/lib/Failing.pm get their memory through it; what the C library allocates for itself does not count.
 *
 * In a process of its own the variable FAIL_AT chooses the allocation, and FAIL_COUNT names a file that gets, when the
 * process ends that began with it, the number of allocations and of blocks that have not been freed. */
#ifndef ALLOC_H
#define ALLOC_H

/* The n-th allocation from now on fails, and no other; 0: none. */
void alloc_fail_at(long n);

long alloc_count(void); /* allocations since alloc_fail_at */
long alloc_live(void);  /* blocks that have not been freed */

#endif
