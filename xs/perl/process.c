/* SPDX-License-Identifier: MIT */
/* process.c - hooks for fork, exec, exit and kill, and clones of the interpreter. */
#include "perl/glue.h"

#include "record/flush.h"
#include "record/output.h"
#include "record/session.h"

/* ---- fork ---- */

/* Fork and open; other forks are noticed at the next event. Here the fork is noticed at once, so that all of the next
 * statement counts for the child. */
OP *nytp_process_forks(pTHX) {
    OP *next = PERLS_OWN(PL_op->op_type);
    dGLUE;
    int saved = errno;
    if (READY && nytp_may_have_forked(&g->r)) {
        HEAL(g);
        nytp_recorder_moved(&g->r);
    }
    errno = saved;
    return next;
}

/* The first clone is made by the owner itself; later ones, perhaps by other threads, find nothing left to write. */
void nytp_process_clone(void) {
    if (nytp_glue_owner) nytp_output_notice(&nytp_glue_owned->r, NYTP_NOTICE_THREADS);
}

/* ---- the end ---- */

/* If exec fails profiling goes on. */
OP *nytp_process_exec(pTHX) {
    dGLUE;
    if (g->perl == THIS_PERL) nytp_session_sum_up(&g->r, NYTP_END_EXEC);
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
    int64_t now = READY ? nytp_now(&g->r) : 0;
    if (now && nytp_flush_due(&g->r, now)) nytp_flush_before_wait(&g->r, now);
    if (!nytp_is_on(&g->r) && nytp_has_output(&g->r) && g->perl == THIS_PERL && !sends_nothing(aTHX))
        nytp_flush_all(&g->r);
    return PERLS_OWN(OP_KILL);
}

/* C code has called exit: perl still exists, but is not called any more. */
void nytp_process_at_exit(void *self, int by_signal) {
    nytp_glue *g = (nytp_glue *)self;
    dTHXa(g->perl);
    PERL_UNUSED_VAR(by_signal);
    nytp_control_finish(aTHX_ g);
}
