/* SPDX-License-Identifier: MIT */
/* stmt.h - a statement's beginning as inline code, for the hooks that can do pp_nextstate's work themselves. */
#ifndef NYTP_PERL_STMT_H
#define NYTP_PERL_STMT_H

#include "perl/glue.h"

/* Not in perls that count references on the stack, which have more work. */
#if NYTP_CLOCK_HAVE_TSC && !defined(PERL_RC_STACK)
#define NYTP_STMT_INLINE
#endif

static inline const COP *nytp_stmt_or_null(const OP *o) {
    return o && (o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE) ? (const COP *)o : NULL;
}

/* The statement that a sub begins with; NULL: none. */
static inline const COP *nytp_stmt_first(const CV *cv) {
    const OP *o = CvISXSUB(cv) ? NULL : CvSTART(cv);
    while (o && !nytp_stmt_or_null(o) && o->op_next && o->op_next != o) o = o->op_next;
    return nytp_stmt_or_null(o);
}

/* The place of cop if its beginning needs no special work (temporaries to free, signals to handle, a place to make or
 * to queue), else NULL. */
NYTP_HOT nytp_live_place *nytp_stmt_plain(pTHX_ const nytp_glue *g, const COP *cop) {
    const nytp_cop *e = g->cops[nytp_cop_slot(g, cop)];
    if (NYTP_UNLIKELY(PL_tmps_ix > PL_tmps_floor || PL_sig_pending || e->cop != cop || e->seq != cop->cop_seq))
        return NULL;
    return NYTP_LIKELY(e->place->queued) ? e->place : NULL;
}

/* Its interpreter ends, and another one is to go on with g's recorder: all places become vacant, and are met again. */
void nytp_stmt_leave(nytp_glue *g);

NYTP_HOT void nytp_stmt_begin(pTHX_ COP *cop) {
    PL_curcop = cop;
    TAINT_NOT;
    PL_stack_sp = PL_stack_base + CX_CUR()->blk_oldsp;
}

#endif
