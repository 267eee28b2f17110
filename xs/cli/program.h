/* SPDX-License-Identifier: MIT */
/* program.h - what a program to be run is: in which language, and which command runs it. */
#ifndef NYTP_CLI_PROGRAM_H
#define NYTP_CLI_PROGRAM_H

#include "base/error.h"

enum nytp_language {
    NYTP_LANGUAGE_OTHER, /* whatever it is, it may start Perl or Lua programs */
    NYTP_LANGUAGE_PERL,
    NYTP_LANGUAGE_LUA
};

#define NYTP_PROGRAM_WORDS 2
#define NYTP_PROGRAM_PATH 4096

typedef struct nytp_program {
    enum nytp_language language;
    const char *words[NYTP_PROGRAM_WORDS]; /* the interpreter and what the #! line gives it; else the program itself */
    int32_t words_n;
    const char *script;                    /* what the interpreter runs, or NULL if the program is none */
    char path[NYTP_PROGRAM_PATH], line[256];
} nytp_program; /* the pointers lead into itself and to the name it was found by */

/* Finds out by the name (perl, lua5.4), the #! line or the extension. A name without a slash is a script of the current
 * directory, if one of that name is in Perl or Lua, and else what PATH has. Returns the error's code: there is no such
 * program, or it is in a Lua that cannot be profiled. */
int nytp_program_find(nytp_program *p, const char *name, nytp_error *e);

#endif
