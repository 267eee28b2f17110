/* SPDX-License-Identifier: MIT */
/* words.h - terms of the profiled language.
 *
 * Perl has subs and string evals, Lua has functions and loaded chunks. For a profile with both the terms suit readers
 * of either. All of them are plain ASCII and need no escaping in HTML. */
#ifndef NYTP_REPORT_WORDS_H
#define NYTP_REPORT_WORDS_H

#include "model/profile.h"
#include "report/page.h"

typedef struct nytp_words {
    const char *sub, *subs, *Sub, *Subs;                      /* "function" */
    const char *call, *calls;                                 /* "function call" */
    const char *statement, *statements, *Statements;          /* "line run", as numbers have it */
    const char *unit;                                         /* and "line", as the thing that runs */
    const char *eval, *evals, *Eval, *Evals;                  /* "loaded chunk"; Evals heads a column */
    const char *in_c;                                         /* of a sub that is written in C */
    const char *no_source;                                    /* heading above such subs of a file */
    const char *package, *packages, *Package, *no_package;    /* what functions belong to; heading for those in none */
    const char *no_file;                                      /* heading for those without a file */
} nytp_words;

/* The terms of a profile; never NULL. */
const nytp_words *nytp_words_of(const nytp_profile *p);

#define NYTP_WORDS_HOLES 13

/* Fills in the holes that every page has: word_sub and so on. */
void nytp_words_holes(const nytp_words *w, nytp_hole holes[NYTP_WORDS_HOLES]);

#endif
