/* SPDX-License-Identifier: MIT */
/* packages.h - the packages of a profile, each with the sums of its subs that were called. */
#ifndef NYTP_MODEL_PACKAGES_H
#define NYTP_MODEL_PACKAGES_H

#include "model/profile.h"

typedef struct nytp_package {
    nytp_str name;     /* empty: functions without a package */
    uint32_t first, n; /* its subs: nytp_packages.subs from first on, by name */
    uint32_t best;     /* the sub with the most time */
    int64_t calls, exclusive;
} nytp_package;

typedef struct nytp_packages {
    nytp_arena arena;
    nytp_package *at; /* by name */
    uint32_t *subs;
    uint32_t n;
} nytp_packages; /* all zero is empty */

/* Fills an empty struct; phases of the program are left out. Returns an nytp_code. */
enum nytp_code nytp_packages_find(nytp_packages *found, const nytp_profile *p);

/* Sorts the packages: the most exclusive time first. */
void nytp_packages_rank(nytp_packages *found);

void nytp_packages_free(nytp_packages *found);

#endif
