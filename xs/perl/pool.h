/* SPDX-License-Identifier: MIT */
/* pool.h - states of threads that have ended, for threads to come.
 *
 * A stream takes some 2 kB of the file before it has counted anything, and a server may make a thread for every
 * request. So the first threads of a process have a stream each, and of those behind them one goes on with what another
 * has left: recorder, stream and file. All else of its state is its own. */
#ifndef NYTP_PERL_POOL_H
#define NYTP_PERL_POOL_H

#include "perl/glue.h"

/* Whether the thread of that number, made by from's, is one of those behind; and if it can have no stream at all, as
 * maxsize leaves no room. */
int nytp_pool_is_for(const nytp_glue *from, uint32_t number);
int nytp_pool_is_full(const nytp_glue *from);

/* A state of the pool for this interpreter, without what belongs to one; NULL: there is none. */
nytp_glue *nytp_pool_take(pTHX_ const nytp_glue *from);

/* Whether it is to have a place in the pool when its interpreter ends: its output stays open until then. */
int nytp_pool_wants(const nytp_glue *g);

/* At the end of its interpreter: g has a place in the pool from now on. 0: it has not, and ends as any other. */
int nytp_pool_put(pTHX_ nytp_glue *g);

/* inherit.c, behind nytp_inherit_code, and file.c: files that the recorder has from an earlier thread. */
void nytp_inherit_files(nytp_glue *g);
void nytp_file_meet_inherited(nytp_glue *g); /* of other names than perl's */

/* No interpreter is left: ends them. */
void nytp_pool_end(pTHX);

/* state.c: frees what belongs to the interpreter, without clearing it; and all, an open output is abandoned. */
void nytp_state_empty(pTHX_ nytp_glue *g);
void nytp_state_free(pTHX_ nytp_glue *g);

/* interp.c: g belongs to no interpreter, and is in the pool; and the latest one there, for that interpreter. */
void nytp_interp_rest(nytp_glue *g);
nytp_glue *nytp_interp_again(const void *perl);

#endif
