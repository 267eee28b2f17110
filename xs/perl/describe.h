/* SPDX-License-Identifier: MIT */
/* describe.h - what a capture says of perl and the program at its beginning. */
#ifndef NYTP_PERL_DESCRIBE_H
#define NYTP_PERL_DESCRIBE_H

#include "perl/glue.h"

/* Bits of $^P: LINE and SINGLE, NOOPT, lines of subs, the names of evals and anonymous subs, source of files and of
 * evals. */
#define THROUGH_DB_DB 0x22
#define NO_OPTIMIZER 0x4
#define SUB_LINES 0x10
#define EVAL_NAMES 0x100
#define ANON_NAMES 0x200
#define SOURCE 0x400
#define EVAL_SOURCE 0x800

void nytp_describe(void *glue, nytp_writer *w); /* nytp_front.describe */

/* Its parts, for a recorder that is not the interpreter's own: without the clock, and the clock alone. */
void nytp_describe_perl(pTHX_ const nytp_glue *g, nytp_writer *w);
void nytp_describe_clock(const nytp_recorder *r, nytp_writer *w);

/* The program may have put more than its name into $0. */
nytp_str nytp_describe_program(pTHX_ const nytp_glue *g);

/* 1 with PERL5OPT, which loads this module into every perl started from here. */
int nytp_describe_is_for_all(void);

#endif
