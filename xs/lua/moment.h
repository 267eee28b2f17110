/* SPDX-License-Identifier: MIT */
/* moment.h - the instruction that ran when a signal came. Private to this room. */
#ifndef NYTP_LUA_MOMENT_H
#define NYTP_LUA_MOMENT_H

#include "lua/glue.h"

#define NYTP_MOMENT_REGISTERS 32

typedef struct nytp_moment {
    const char *registers[NYTP_MOMENT_REGISTERS]; /* of the processor; NULL: none, or not known */
    const char *saved; /* the next instruction that Lua had noted in the call */
    uint32_t votes[NYTP_MOMENT_REGISTERS]; /* how often it was the one that had the next instruction */
} nytp_moment;

/* For a handler of signals: context is its third argument, or NULL, call the innermost that runs. */
void nytp_moment_keep(nytp_moment *m, const nytp_layout *y, const void *call, const void *context);

/* The instruction behind that, while the call runs; NULL if it is not known. */
const char *nytp_moment_next(nytp_moment *m, const nytp_layout *y, const void *call);

#endif
