/* SPDX-License-Identifier: MIT */
/* coro.c - calls of C functions that switch coroutines: Coro's cede and schedule, a semaphore's down.
 *
 * When an op first calls such a function, the function gives the op a function of Coro's own and has the op run again,
 * so that entersub is not asked for later calls. A hook takes the place of that function. It counts the call and jumps
 * into Coro's function, without a C frame of its own: that would make Coro keep a C stack for each coroutine. The next
 * hook in the coroutine ends the call. */
#include "perl/glue.h"

/* Coro's mark of the functions that its own function of ops calls itself; of Perl subs perl uses the bit otherwise. */
#define CALLED_BY_CORO 0x4000

Perl_ppaddr_t nytp_coro_own;
static Perl_ppaddr_t hook;

/* Coro's op that runs the call again is its own successor. Where perl has assertions Coro checks the op's function. */
OP *nytp_coro_hook(nytp_glue *g, OP *next, Perl_ppaddr_t function) {
#ifndef DEBUGGING
    if (!next || next->op_next != next || next->op_type != OP_CUSTOM) return next;
    OP *call = cUNOPx(next)->op_first;
    if (!nytp_coro_own) nytp_coro_own = call->op_ppaddr;
    if (call->op_ppaddr != nytp_coro_own) return next;
    call->op_ppaddr = hook = function;
    if (g) g->counted = call;
#else
    PERL_UNUSED_VAR(g);
    PERL_UNUSED_VAR(function);
#endif
    return next;
}

void nytp_coro_unhook(OP *call) {
    if (hook && call->op_ppaddr == hook) call->op_ppaddr = nytp_coro_own;
}

int nytp_coro_switches(const nytp_position *at) {
    return at->frame && at->frame->leaf && at->node->sub && at->node->sub->manner == NYTP_MANNER_SWITCHES;
}

/* By a glob only. */
const CV *nytp_coro_called(pTHX) {
    const SV *sv = *PL_stack_sp;
    const CV *cv = SvTYPE(sv) == SVt_PVGV && isGV_with_GP(sv) ? GvCV((const GV *)sv) : NULL;
    return cv && CvISXSUB(cv) && CvFLAGS(cv) & CALLED_BY_CORO ? cv : NULL;
}
