/* SPDX-License-Identifier: MIT */
/* costly.h - what took the most time in a build, as sums over its processes: recipes, whose lines are processes of
 * their own, and commands that ran more than once. */
#ifndef NYTP_REPORT_COSTLY_H
#define NYTP_REPORT_COSTLY_H

#include "base/buf.h"
#include "model/processes.h"

enum nytp_costly_of {
    NYTP_COSTLY_RECIPES, /* processes for one target, started by one make; one without a target is alone */
    NYTP_COSTLY_REPEATS  /* of the same arguments in the same directory; their time is that of all but the first */
};

typedef struct nytp_costly nytp_costly;

nytp_costly *nytp_costly_make(enum nytp_costly_of of); /* NULL without memory */

/* Adds a process that has ended. Behind a quarter of a million sums each process of a new one is alone. */
void nytp_costly_add(nytp_costly *c, const nytp_built *process);

double nytp_costly_longest(const nytp_costly *c); /* seconds of the first; 0: there is none */

/* Appends those that took the most time; nothing if there are none. */
void nytp_costly_put(nytp_buf *out, const nytp_costly *c);

void nytp_costly_free(nytp_costly *c); /* takes NULL */

#endif
