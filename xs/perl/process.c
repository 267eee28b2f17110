/* SPDX-License-Identifier: MIT */
/* process.c - hooks for fork, exec, exit and kill. */
#include "perl/glue.h"
#include "perl/sampling.h"

#include "record/flush.h"
#include "record/handlers.h"
#include "record/output.h"
#include "record/session.h"

/* ---- fork ---- */

/* Fork and open; other forks are noticed at the next event. Here the fork is noticed at once, so that all of the next
 * statement counts for the child. */
OP *nytp_process_forks(pTHX) {
    OP *next = PERLS_OWN(PL_op->op_type);
    dGLUE;
    int saved = errno;
    if (IS_PROFILED && nytp_may_have_forked(&g->r)) {
        HEAL(g);
        nytp_recorder_moved(&g->r);
    }
    errno = saved;
    return next;
}

/* In a forked child the interpreters of other threads are the parent's alone. */
void nytp_process_in_child(void *self) {
    nytp_glue *g = (nytp_glue *)self;
    if (nytp_handlers_is_here(&g->r)) return;
    nytp_handlers_drop(&g->r);
    nytp_interp_drop(g);
}

/* ---- the end ---- */

/* If exec fails profiling goes on. */
OP *nytp_process_exec(pTHX) {
    dGLUE;
    if (g->samples) {
        nytp_sampling_before_exec();
    } else if (g->perl == THIS_PERL) {
        nytp_handlers_flush_others();
        nytp_session_sum_up(&g->r, NYTP_END_EXEC);
    }
    return PERLS_OWN(OP_EXEC);
}

/* kill 0 only asks whether a process is there, as servers do for each request. */
static int sends_nothing(pTHX) {
    SV **signal = PL_stack_base + TOPMARK + 1;
    return signal <= PL_stack_sp && SvIOK(*signal) && SvIVX(*signal) == 0;
}

/* A signal may be the end, too: of this process, if it sends it to itself. */
OP *nytp_process_kill(pTHX) {
    dGLUE;
    int64_t now = IS_PROFILED ? nytp_now(&g->r) : 0;
    if (now && nytp_flush_due(&g->r, now)) nytp_flush_before_wait(&g->r, now);
    if (!nytp_is_on(&g->r) && nytp_has_output(&g->r) && g->perl == THIS_PERL && !sends_nothing(aTHX))
        nytp_flush_all(&g->r);
    return PERLS_OWN(OP_KILL);
}

/* C code has called exit, or perl has, in a DESTROY at its own end, or as other threads run: perl still exists, but is
 * not called any more, unless it runs in another thread, which may be changing the counters now. */
void nytp_process_at_exit(void *self, int by_signal) {
    nytp_glue *g = (nytp_glue *)self;
    dTHXa(g->perl);
    PERL_UNUSED_VAR(by_signal);
    if (!g->options.libcexit && !g->is_destructed && !g->shares_code) return;
    if (!nytp_handlers_may_touch(&g->r)) return;
    g->is_taken = nytp_handlers_is_taken(&g->r);
    nytp_control_finish(aTHX_ g);
}
