/* SPDX-License-Identifier: MIT */
/* leaf.h - a call of C code, a sub or a slow built-in, as an inline part of the hook that makes it.
 *
 * C code may be left by a longjmp, and a save-stack entry around it would break modules that work on their caller's
 * scope (Guard). So its end is noticed here, or, if it does not return, by the next hook higher up the stack. */
#ifndef NYTP_PERL_LEAF_H
#define NYTP_PERL_LEAF_H

#include "perl/growth.h"
#include "perl/waiting.h"

#include "record/flush.h"
#include "record/lag.h"
#include "record/latency.h"

/* Whether hooks do more for a call: a constant for each hook. */
static inline int nytp_leaf_is_timed(const nytp_options *o) { return o->latency || o->memory || o->waiting; }

/* The place a call comes from. */
NYTP_HOT nytp_live_place *nytp_leaf_site(pTHX_ nytp_glue *g) {
    if (NYTP_UNLIKELY(PL_curcop == &PL_compiling)) return nytp_stmt_site(aTHX_ g, &PL_compiling);
    return NYTP_LIKELY(g->resume) ? nytp_current_place(&g->r) : nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix);
}

/* The caller of a call new at its place: with findcaller=1 not the C code that calls back, but the sub around it. */
static inline nytp_live_node *nytp_leaf_caller(const nytp_glue *g) {
    nytp_live_node *n = nytp_current_node(&g->r);
    if (!g->options.findcaller) return n;
    for (const nytp_live_frame *f = nytp_current_frame(&g->r); f && f->leaf; f = f->below) n = f->node;
    return n;
}

/* What a call may wait for: nothing; anything; input from the handle on the stack; a client, in which case the time is
 * charged to no call; the end of a child, or, if the handle is a pipe, of the child at its other end. */
enum nytp_wait { NYTP_WAIT_NO, NYTP_WAIT_ANY, NYTP_WAIT_INPUT, NYTP_WAIT_CLIENT, NYTP_WAIT_CHILD, NYTP_WAIT_PIPE };

/* slowop.c: whether the op about to run is likely to wait, and a window is due that should be written before. */
int nytp_leaf_waits(pTHX_ nytp_glue *g, enum nytp_wait wait, int64_t now);

/* For input the check costs a system call, so a program that reads without waiting is not checked before every read:
 * see ask_again. */
NYTP_HOT int nytp_leaf_may_wait(const nytp_glue *g, enum nytp_wait wait, int64_t now) {
    return wait != NYTP_WAIT_NO && wait != NYTP_WAIT_PIPE && (wait != NYTP_WAIT_INPUT || now >= g->ask_again);
}

/* The child that the op is going to wait for, if known; 0: none. */
U32 nytp_leaf_awaited(pTHX_ enum nytp_wait wait);

/* Subtracts the child's lag from the time that the op has waited. */
void nytp_leaf_catch_up(pTHX_ nytp_glue *g, enum nytp_wait wait, U32 child, int64_t now);

/* Runs perl's op as a call of n. The op may switch coroutines: then the frame stays in the one that was left. timed:
 * the call's length counts, how long it waits, or its values (options latency, waiting and memory). */
NYTP_HOT OP *nytp_leaf_run(pTHX_ nytp_glue *g, nytp_live_node *n, int type, const char *native, enum nytp_wait wait,
                           int timed) {
    nytp_recorder *r = &g->r;
    int64_t now = nytp_now(r);
    if (timed) now = nytp_waiting_before(g, now);
    nytp_live_place *resume = g->resume ? nytp_current_place(r) : NULL;
    nytp_live_frame *f = n ? nytp_enter(r, n, resume, native, now, NYTP_EVENT_LEAF_ENTER) : NULL;
    if (NYTP_UNLIKELY(!f)) return PERLS_OWN(type);
    nytp_entered(r, NYTP_EVENT_LEAF_ENTER);
    f->depth = cxstack_ix;
    if (timed) nytp_latency_begin(r, &f->timed, n, now, NYTP_EVENT_LEAF_ENTER);
    if (nytp_leaf_may_wait(g, wait, now) && nytp_leaf_waits(aTHX_ g, wait, now)) nytp_flush_before_wait(r, now);
    U32 child = NYTP_UNLIKELY(wait && nytp_lag_has_children(r)) ? nytp_leaf_awaited(aTHX_ wait) : 0;
    if (wait != NYTP_WAIT_NO && NYTP_UNLIKELY(g->shares_code)) nytp_thread_waits(g);
    if (timed) nytp_growth_go_on(aTHX_ g);
    OP *next = PERLS_OWN(type);
    if (NYTP_UNLIKELY(!IS_PROFILED)) {
        nytp_exit_unseen(r, f);
        return next;
    }
    if (timed) nytp_growth_count(aTHX_ g);
    now = nytp_now(r);
    if (NYTP_UNLIKELY(wait && nytp_lag_has_children(r))) nytp_leaf_catch_up(aTHX_ g, wait, child, now);
    if (timed) now = nytp_waiting_after(g, now);
    if (wait == NYTP_WAIT_CLIENT) nytp_leave_out(r, now);
    if (timed) nytp_latency_exit(r, f, now, NYTP_EVENT_LEAF_EXIT);
    else nytp_exit(r, f, now, NYTP_EVENT_LEAF_EXIT);
    if (timed) nytp_growth_go_on(aTHX_ g);
    return next;
}

#endif
