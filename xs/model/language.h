/* SPDX-License-Identifier: MIT */
/* language.h - what a process's front end calls things, as its capture has it.
 *
 * Front ends without a number say it in properties. Perl and Lua are known by their number, as old captures of them say
 * nothing. Files and subs name the process that defined them first, whose language is theirs. */
#ifndef NYTP_MODEL_LANGUAGE_H
#define NYTP_MODEL_LANGUAGE_H

#include "model/profile.h"

/* Notes a property of the process, if it is one of a language. value must live as long as the profile. */
void nytp_language_tell(nytp_process *process, nytp_str key, nytp_str value);

/* The process number `process` - 1; NULL for 0, which is no process. */
const nytp_process *nytp_language_process(const nytp_profile *p, uint32_t process);

/* 1 if both have the same names for things. */
int nytp_language_same(const nytp_process *a, const nytp_process *b);

/* The name of a process's main program; process may be NULL. */
nytp_str nytp_language_root(const nytp_process *process);

/* The package in a sub's name, borrowed from it; process may be NULL. */
nytp_str nytp_language_package(const nytp_process *process, nytp_str name);

#endif
