/* SPDX-License-Identifier: MIT */
/* watching.h - lines of a perl whose calls are counted by hooks and whose statements are not: by option sample, a
 * thread looks which statement runs (sample/lookout.h). */
#ifndef NYTP_PERL_WATCHING_H
#define NYTP_PERL_WATCHING_H

#include "perl/glue.h"
#include "sample/lookout.h"

/* What option sample implies; croaks if it does not go with the others. */
void nytp_watching_prepare(pTHX_ nytp_options *o);

/* Properties of a capture that begins. */
void nytp_watching_describe(const nytp_glue *g, nytp_writer *w);

/* Profiling is on from now. Where the thread cannot begin the log says so, and lines stay without time. */
void nytp_watching_begin(pTHX_ nytp_glue *g);

/* It is off, or the interpreter ends: what was seen is the recorder's. */
void nytp_watching_end(nytp_glue *g);

/* In a forked child that is profiled. */
void nytp_watching_forked(nytp_glue *g);

/* For the recorder: nytp_front.seen. */
void nytp_watching_take(void *glue);

/* Around all that the recorder writes. */
void nytp_watching_writes(const nytp_glue *g, int begins);

#endif
