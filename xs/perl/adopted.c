/* SPDX-License-Identifier: MIT */
/* adopted.c - the end of subs that were running when profiling was switched on. */
#include "perl/glue.h"

static void pop_adopted(pTHX_ nytp_glue *g) {
    const nytp_adopted *a = g->adopted + --g->adopted_n;
    if (IS_PROFILED)
        nytp_exit(&g->r, a->frame, nytp_now(&g->r), NYTP_EVENT_EXIT);
    else
        nytp_exit_unseen(&g->r, a->frame);
}

/* leavesub, leavesublv and return of subs that were running before profiling was switched on. */
OP *nytp_adopted_leave(pTHX) {
    dGLUE;
    OP *next = PERLS_OWN(PL_op->op_type);
    while (g->adopted_n) {
        const nytp_adopted *a = g->adopted + g->adopted_n - 1;
        if (a->si == PL_curstackinfo && a->cxix <= cxstack_ix) break;
        pop_adopted(aTHX_ g);
    }
    return next;
}

/* The sub died or was replaced by goto: its context is gone, or belongs to another call. */
static int is_gone(pTHX_ const nytp_adopted *a) {
    const PERL_SI *si = PL_curstackinfo;
    while (si && si != a->si) si = si->si_prev;
    if (!si || a->cxix > si->si_cxix) return 1;
    const PERL_CONTEXT *cx = si->si_cxstack + a->cxix;
    return CxTYPE(cx) != CXt_SUB || cx->blk_sub.cv != a->cv;
}

void nytp_adopted_drop_gone(pTHX_ nytp_glue *g) {
    while (g->adopted_n && g->adopted[g->adopted_n - 1].frame == nytp_current_frame(&g->r) &&
           is_gone(aTHX_ &g->adopted[g->adopted_n - 1])) {
        nytp_exit_unseen(&g->r, g->adopted[--g->adopted_n].frame);
        nytp_touch_node(&g->r, nytp_current_node(&g->r));
    }
}

int nytp_adopted_is_top(const nytp_glue *g) {
    return g->adopted_n && g->adopted[g->adopted_n - 1].frame == nytp_current_frame(&g->r);
}

OP *nytp_adopted_go(pTHX_ nytp_glue *g) {
    OP *next = PERLS_OWN(OP_GOTO);
    pop_adopted(aTHX_ g);
    return next;
}
