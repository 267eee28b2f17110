/* SPDX-License-Identifier: MIT */
/* adopt.c - subs that were running when profiling was switched on: they get a frame, but have no entry on perl's
 * savestack that reports their end. */
#include "perl/glue.h"

static U32 count_frames(const nytp_glue *g) {
    U32 n = 0;
    for (const nytp_live_frame *f = nytp_current_frame(&g->r); f; f = f->below) n += !f->leaf;
    return n;
}

static int make_room(nytp_glue *g) {
    if (g->adopted_n < g->adopted_cap) return 1;
    U32 more = g->adopted_cap ? g->adopted_cap * 2 : 16;
    nytp_adopted *grown = (nytp_adopted *)realloc(g->adopted, more * sizeof *grown);
    if (!grown) return 0;
    g->adopted = grown;
    g->adopted_cap = more;
    return 1;
}

/* Whether a context is of code compiled with hooks. */
static int is_hooked(const OP *o, int depth) {
    Perl_ppaddr_t function = nytp_op_function(o);
    if (o->op_type == OP_ENTERSUB) return function == nytp_sub_entersub || function == nytp_sub_entersub_timed;
    if (!(o->op_flags & OPf_KIDS) || depth > NYTP_DEEPEST) return 0;
    for (const OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid))
        if (is_hooked(kid, depth + 1)) return 1;
    return 0;
}

/* Hooks the ways out of subs only now: in all subs these hooks would cost each call a nanosecond or two. */
static void hook_returns(OP *o, int depth) {
    if (o->op_type == OP_LEAVESUB || o->op_type == OP_LEAVESUBLV || o->op_type == OP_RETURN)
        nytp_op_set(o, nytp_adopted_leave);
    if (!(o->op_flags & OPf_KIDS) || depth > NYTP_DEEPEST) return;
    for (OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid)) hook_returns(kid, depth + 1);
}

/* The call itself was not observed and is not counted; events in it from now on are. */
static void adopt(pTHX_ nytp_glue *g, const PERL_SI *si, I32 cxix) {
    const PERL_CONTEXT *cx = si->si_cxstack + cxix;
    const CV *cv = cx->blk_sub.cv;
    if (!CvROOT(cv) || !is_hooked(CvROOT(cv), 0)) return;
    hook_returns(CvROOT(cv), 0);
    nytp_live_place *site = nytp_place_of(aTHX_ g, cx->blk_oldcop, cxix - 1);
    nytp_live_node *n = make_room(g) ? nytp_sub_node(aTHX_ g, site, cv) : NULL;
    if (!n) return;
    nytp_live_frame *f = nytp_enter(&g->r, n, g->resume ? site : NULL, nytp_current_native(&g->r),
                                    nytp_node_since(&g->r), NYTP_EVENT_ENTER);
    if (!f) return;
    nytp_entered(&g->r, NYTP_EVENT_ENTER);
    n->calls--;
    g->adopted[g->adopted_n++] = (nytp_adopted){si, cxix, cv, f};
}

/* Outermost first; the first `skip` subs have frames. */
static void adopt_stack(pTHX_ nytp_glue *g, const PERL_SI *si, U32 *skip) {
    if (si->si_prev && si->si_type != PERLSI_MAIN) adopt_stack(aTHX_ g, si->si_prev, skip);
    for (I32 i = 0; i <= si->si_cxix; i++) {
        if (CxTYPE(si->si_cxstack + i) != CXt_SUB || CxMULTICALL(si->si_cxstack + i)) continue;
        if (*skip)
            --*skip;
        else
            adopt(aTHX_ g, si, i);
    }
}

void nytp_adopt_running(pTHX_ nytp_glue *g) {
    U32 skip = count_frames(g);
    adopt_stack(aTHX_ g, PL_curstackinfo, &skip);
}
