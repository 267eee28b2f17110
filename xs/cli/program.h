/* SPDX-License-Identifier: MIT */
/* program.h - the interpreter of a program, and the command that runs it. */
#ifndef NYTP_CLI_PROGRAM_H
#define NYTP_CLI_PROGRAM_H

#include <stddef.h>

#include "base/error.h"

#define NYTP_PROGRAM_WORDS 2
#define NYTP_PROGRAM_PATH 4096

typedef struct nytp_program {
    const struct nytp_interpreter *interpreter; /* its row in interpreters.h; NULL: another program,
                                                   which may start some of these */
    const char *words[NYTP_PROGRAM_WORDS]; /* interpreter and argument of the #! line; else the program */
    int32_t words_n;
    const char *script;                    /* the file that the interpreter runs, or NULL without an interpreter */
    char path[NYTP_PROGRAM_PATH], line[256];
} nytp_program; /* pointers lead into the struct and to the name given */

/* Finds out by the name (perl, lua5.4, ruby), the #! line or the extension. A name without a slash is a script of the
 * current directory in one of these languages, else a program in PATH. Returns the error's code: there is no such
 * program. */
int nytp_program_find(nytp_program *p, const char *name, nytp_error *e);

/* Whether PATH has an executable of that name; its path is left in found. */
int nytp_program_in_path(const char *name, char *found, size_t room);

#endif
