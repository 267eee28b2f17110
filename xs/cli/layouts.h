/* SPDX-License-Identifier: MIT */
/* layouts.h - where stock perls keep what is sampled, for processes whose perl has no module that could tell it. */
#ifndef NYTP_CLI_LAYOUTS_H
#define NYTP_CLI_LAYOUTS_H

#include <stdint.h>

#include "sample/layout.h"

typedef struct nytp_stock {
    const char *version; /* "5.36": maintenance versions of it keep their structs */
    const char *options; /* PL_bincompat_options, with what changes structs */
} nytp_stock;

/* The perls that are known, *n of them. */
const nytp_stock *nytp_layouts_all(uint32_t *n);

/* Fills in the layout of the perl of that index, and names, which is all NULL and has room for `most`, with the ops
 * that are shown as subs; the layout borrows names. 1 if the table has all fields. */
int nytp_layouts_fill(uint32_t perl, nytp_perl_layout *l, const char **names, uint32_t most);

#endif
