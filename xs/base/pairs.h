/* SPDX-License-Identifier: MIT */
/* pairs.h - text like NAME=VALUE:NAME=VALUE, with a backslash before a ':', '=' or '\' that is part of a name or
 * value. */
#ifndef NYTP_BASE_PAIRS_H
#define NYTP_BASE_PAIRS_H

#include "base/buf.h"

typedef struct nytp_assignment {
    nytp_buf name, value; /* without backslashes, each with a NUL behind it that n does not count */
    int has_value;        /* 0: there is no '=' */
    int failed;           /* 1: out of memory */
} nytp_assignment;              /* all zero is a valid start */

/* Reads the pair at p. Returns the address of its end: a ':' or the NUL of the text. */
const char *nytp_pairs_next(const char *p, nytp_assignment *pair);

int nytp_pairs_is(const nytp_assignment *pair, const char *name); /* 1: the pair has that name and a value */

void nytp_pairs_free(nytp_assignment *pair);

#endif
