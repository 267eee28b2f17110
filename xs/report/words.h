/* SPDX-License-Identifier: MIT */
/* words.h - terms of the profiled language.
 *
 * Perl has subs and string evals, Lua has functions and loaded chunks, and other front ends say what theirs has. For a
 * profile with several languages the terms suit readers of each. All are plain ASCII and need no escaping in HTML. */
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

/* The terms of the whole profile, and behind them those of each process, so that the number of a file's process is the
 * index of its terms. They live as long as the arena; NULL when memory is short. */
nytp_words *nytp_words_find(nytp_arena *arena, const nytp_profile *p);

#define NYTP_WORDS_HOLES 21

/* Fills in the holes that every page has: word_ and the field's name. */
void nytp_words_holes(const nytp_words *w, nytp_hole holes[NYTP_WORDS_HOLES]);

#endif
