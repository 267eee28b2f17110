/* SPDX-License-Identifier: MIT */
/* interned.h - a list of names for data.js, in which each is once and has a number. */
#ifndef NYTP_PAGES_INTERNED_H
#define NYTP_PAGES_INTERNED_H

#include <stddef.h>

#include "base/buf.h"
#include "base/str.h"
#include "base/table.h"

typedef struct nytp_interned {
    nytp_buf list;  /* a line for each, which no name has a newline for; fails when memory is short */
    size_t *begins; /* of the lines */
    nytp_table known; /* 1 + number */
    uint32_t n, room;
} nytp_interned; /* all zero is an empty list */

/* Adds a name that need not be found again. */
void nytp_interned_append(nytp_interned *to, nytp_str name);

/* The number of a name, from 0, which is added if it is new. */
uint32_t nytp_interned_number(nytp_interned *among, nytp_str name);

void nytp_interned_free(nytp_interned *all);

#endif
