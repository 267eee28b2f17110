/* SPDX-License-Identifier: MIT */
/* outside.h - what a program did besides statements and calls, for reports to people: compiling it, waiting for
 * clients. Private to load. */
#ifndef NYTP_MODEL_OUTSIDE_H
#define NYTP_MODEL_OUTSIDE_H

#include "model/intern.h"

/* Gives the time outside statements, which is the root's until then, to the phase in which Perl compiles the main
 * program, renames that, and makes an entry of the time that statements have and no call. Before the tree is summed
 * up. Returns an nytp_code. */
int nytp_outside_tell(nytp_profile *p, nytp_intern *in);

#endif
