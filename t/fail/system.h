/* SPDX-License-Identifier: MIT */
/* system.h - writes, renames and closes of which a chosen one fails, as alloc.h has it for allocations. How it fails is
 * a word: enospc, eio; short (half is written), eintr, nothing (no byte is written, and there is no error), after which
 * another try succeeds.
 *
 * The environment variables FAIL_AS and FAIL_AT choose it, and the file of FAIL_COUNT gets the number of calls. */
#ifndef SYSTEM_H
#define SYSTEM_H

/* The n-th call from now on fails, and no other; 0: none. */
void system_fail_at(const char *how, long n);

long system_count(void); /* calls since system_fail_at */

#endif
