/* SPDX-License-Identifier: MIT */
/* sampling.h - a thread that samples an interpreter, by the option sample, in place of hooks. */
#ifndef NYTP_PERL_SAMPLING_H
#define NYTP_PERL_SAMPLING_H

#include "perl/glue.h"
#include "sample/layout.h"

/* Begins, unless start=no. 1 if there is nothing to complain of; croaks where an exact profile would. */
int nytp_sampling_init(pTHX_ nytp_glue *g);

/* What the program calls, as in control.c. Both return 1 if it was on. */
int nytp_sampling_enable(pTHX_ nytp_glue *g, const char *file); /* NULL: the same file */
int nytp_sampling_disable(nytp_glue *g);

/* Ends the thread and completes its file. */
void nytp_sampling_finish(nytp_glue *g);

/* What was counted is written. */
void nytp_sampling_before_exec(void);

/* What it writes with, for record/spans.h alone; NULL while it is off. */
nytp_recorder *nytp_sampling_recorder(const nytp_glue *g);

/* g is a clone of from, for the thread of that number, which shares the file by the outlet. */
void nytp_sampling_clone(pTHX_ nytp_glue *g, nytp_glue *from, uint32_t number, nytp_outlet *outlet);

/* structs.c: of this perl, and of this interpreter. */
const nytp_perl_layout *nytp_structs_layout(pTHX);
nytp_perl_at nytp_structs_here(pTHX);
SV *nytp_structs_text(pTHX); /* the layout and @INC, a line each, for `nytprof attach`; the caller's */

#endif
