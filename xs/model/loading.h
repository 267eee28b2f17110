/* SPDX-License-Identifier: MIT */
/* loading.h - the time of loading: compiling the program, and the use and require statements of a Perl program, by the
 * module that they name. */
#ifndef NYTP_MODEL_LOADING_H
#define NYTP_MODEL_LOADING_H

#include "model/profile.h"

typedef struct nytp_module {
    nytp_str name;
    int64_t total, own;  /* ticks; total: with the modules that this one was the first to use */
    int64_t most;        /* total of the longest statement */
    int64_t uses;        /* statements, of either kind */
    uint32_t file, line; /* of the longest statement; line 0: unknown */
} nytp_module;

typedef struct nytp_loading {
    nytp_arena arena;
    nytp_module *modules; /* the most total time first */
    uint32_t n;
    int64_t total;        /* of all modules, without counting time twice */
} nytp_loading; /* all zero is empty */

/* Fills an empty struct; names are borrowed from p. Returns an nytp_code. */
enum nytp_code nytp_loading_find(nytp_loading *found, const nytp_profile *p);

void nytp_loading_free(nytp_loading *l);

#endif
