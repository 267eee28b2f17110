/* SPDX-License-Identifier: MIT */
/* library.h - libnytprof reads standard input. */
#ifndef FUZZ_LIBRARY_H
#define FUZZ_LIBRARY_H

#include <stdint.h>

/* As a profile, every row of every table, or record by record, by the lowest bit of the ways. Strings are read to their
 * ends, so that a sanitizer sees them. */
void library_read(uint8_t ways);

#endif
