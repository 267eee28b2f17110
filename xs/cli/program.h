/* SPDX-License-Identifier: MIT */
/* program.h - the language of a program, and the command that runs it. */
#ifndef NYTP_CLI_PROGRAM_H
#define NYTP_CLI_PROGRAM_H

#include "base/error.h"

enum nytp_language {
    NYTP_LANGUAGE_OTHER, /* any other; it may start programs in these */
    NYTP_LANGUAGE_PERL,
    NYTP_LANGUAGE_LUA,
    NYTP_LANGUAGE_RUBY
};

#define NYTP_PROGRAM_WORDS 2
#define NYTP_PROGRAM_PATH 4096

typedef struct nytp_program {
    enum nytp_language language;
    const char *words[NYTP_PROGRAM_WORDS]; /* interpreter and argument of the #! line; else the program */
    int32_t words_n;
    const char *script;                    /* the file that the interpreter runs, or NULL without an interpreter */
    char path[NYTP_PROGRAM_PATH], line[256];
} nytp_program; /* pointers lead into the struct and to the name given */

/* Finds out by the name (perl, lua5.4, ruby), the #! line or the extension. A name without a slash is a script of the
 * current directory in one of these languages, else a program in PATH. Returns the error's code: there is no such
 * program, or it is for a Lua that cannot be profiled. */
int nytp_program_find(nytp_program *p, const char *name, nytp_error *e);

#endif
