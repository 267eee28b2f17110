/* SPDX-License-Identifier: MIT */
/* outside.h - time outside statements and calls, for reports to people: compiling the program, waiting for clients.
 * Private to load. */
#ifndef NYTP_MODEL_OUTSIDE_H
#define NYTP_MODEL_OUTSIDE_H

#include "model/intern.h"

/* Moves the time outside statements from the main program to the phase in which Perl compiles it, renames the phase,
 * and makes an entry for time that is charged to no statement. is_apart: each process has a main program of its own. To
 * be called before the tree is summed up. Returns an nytp_code. */
enum nytp_code nytp_outside_tell(nytp_profile *p, nytp_intern *in, int is_apart);

#endif
