/* SPDX-License-Identifier: MIT */
/* process.c - hooks for fork, exec, exit and kill, and clones of the interpreter. */
#include "perl/glue.h"

#include <pthread.h>

#include "record/flush.h"
#include "record/lag.h"
#include "record/output.h"

/* The running recorder of this process: for handlers of pthread_atfork and atexit, which have no argument, and for
 * clones, which have no state. */
static nytp_recorder *running;

void nytp_process_watch(nytp_recorder *r) { running = r; }

/* ---- fork ---- */

static void before_fork(void) {
    if (running && nytp_is_on(running)) nytp_lag_share(running);
}

/* The next event in the child finds the deadline passed, and the flush finds that the process is another. */
static void in_child(void) {
    if (running) nytp_recorder_due(running, INT64_MIN);
}

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
    if (running) nytp_output_notice(running, NYTP_NOTICE_THREADS);
}

/* ---- the end ---- */

/* If exec fails profiling goes on. */
OP *nytp_process_exec(pTHX) {
    dGLUE;
    if (nytp_has_output(&g->r) && g->perl == THIS_PERL) nytp_control_summary(aTHX_ g, NYTP_END_EXEC);
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
static void at_c_exit(void) {
    dTHXa(nytp_glue_owner);
    if (!running) return;
    dGLUE;
    nytp_control_finish(aTHX_ g);
}

void nytp_process_handlers(const nytp_options *o) {
    pthread_atfork(before_fork, NULL, in_child);
    if (o->libcexit) atexit(at_c_exit);
}
