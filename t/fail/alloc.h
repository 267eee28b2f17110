/* SPDX-License-Identifier: MIT */
/* alloc.h - allocations of which a chosen one fails. Programs and libraries that are linked with alloc.c and
 * ALLOC_FLAGS of t/lib/Failing.pm allocate through it; the C library's own allocations do not count.
 *
 * The environment variable FAIL_AT, without FAIL_AS (system.h), chooses the allocation of a process, and FAIL_COUNT
 * names a file. At its end the process that was started with it, not a forked child, writes there the numbers of
 * allocations and of blocks that have not been freed. */
#ifndef ALLOC_H
#define ALLOC_H

/* The n-th allocation from now on fails, and no other; 0: none. */
void alloc_fail_at(long n);

long alloc_count(void); /* allocations since alloc_fail_at */
long alloc_live(void);  /* blocks that have not been freed */

#endif
