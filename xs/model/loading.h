/* SPDX-License-Identifier: MIT */
/* loading.h - what loading took: compiling the program, and the use and require statements of a Perl program, by the
 * module that they name. */
#ifndef NYTP_MODEL_LOADING_H
#define NYTP_MODEL_LOADING_H

#include "model/profile.h"

typedef struct nytp_module {
    nytp_str name;
    int64_t total, own;  /* ticks; total: with the modules that this one was the first to use */
    int64_t most;        /* the total of the statement that took longest */
    int64_t uses;        /* statements, of either kind */
    uint32_t file, line; /* of the one that took longest; line 0: none is known */
} nytp_module;

typedef struct nytp_loading {
    nytp_arena arena;
    nytp_module *modules; /* the most total time first */
    uint32_t n;
    int64_t total;        /* of all, each moment counted once */
} nytp_loading; /* all zero is an empty one */

/* Fills an empty one; names are borrowed from p. Returns an nytp_code. */
int nytp_loading_find(nytp_loading *found, const nytp_profile *p);

void nytp_loading_free(nytp_loading *l);

#endif
