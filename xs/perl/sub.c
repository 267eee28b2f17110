/* sub.c - calls: entersub and goto, with perl's own savestack telling when a sub is left, however it is left. */
#include "perl/called.h"
#include "perl/leaf.h"
#include "perl/stmt.h"

#include "record/subs.h"
#include "record/tree.h"

/* What tells one sub from another is read raw: the body (shared by all closures of one piece of source; for a C sub
 * its function), the name and its package. CvGV would make perl invent globs that nobody asked for, and a glob's own
 * address says little: set_subname makes a new one each time. Subs are known by their name, whatever they were
 * imported as; an anonymous one that was put into a glob and called by that name is told apart by it: so two closures
 * of one factory differ. */
NYTP_HOT nytp_subkey key_of(const CV *cv, const SV *called) {
    const XPVCV *body = (const XPVCV *)SvANY(cv);
    nytp_subkey key = {body->xcv_root_u.xcv_root, NULL, NULL, NULL};
    if (NYTP_UNLIKELY(CvNAMED(cv))) {
        key.name = body->xcv_gv_u.xcv_hek;
        key.package = CvSTASH(cv);
    } else if (NYTP_LIKELY(body->xcv_gv_u.xcv_gv != NULL)) {
        key.name = GvNAME_HEK(body->xcv_gv_u.xcv_gv);
        key.package = GvSTASH(body->xcv_gv_u.xcv_gv);
    }
    if (CvANON(cv) && called && SvTYPE(called) == SVt_PVGV) key.alias = called;
    return key;
}

/* perl calls a BEGIN block from a statement op that it makes for the purpose, with the line it has compiled up to, and
 * with a call op that nothing follows. After a goto there is no current op. */
static int is_begin(pTHX_ const CV *cv) {
    const GV *gv = PL_op && !PL_op->op_next && !CvISXSUB(cv) && !CvNAMED(cv) ? CvGV((CV *)cv) : NULL;
    return gv && strEQ(GvNAME(gv), "BEGIN");
}

/* What calls is no sub, but a phase: a child of the root, known by an address of its own. */
static nytp_node *phase(nytp_glue *g, const void *address, nytp_str name) {
    nytp_subkey key = {address, NULL, NULL, NULL};
    nytp_rec_sub what = {0};
    what.flags = NYTP_SUB_PHASE;
    what.name = name;
    nytp_sub *sub = nytp_subs_find(&g->r, key);
    if (!sub) sub = nytp_subs_add(&g->r, key, &what);
    return sub ? nytp_tree_child(&g->r, &g->r.root, &g->r.nowhere, sub) : NULL;
}

/* BEGIN blocks of the main program are called by what compiles it, under the name that Devel::NYTProf's users see. */
static nytp_node *caller_of_begin(pTHX_ nytp_glue *g) {
    int in_main = g->r.node == &g->r.root && PL_phase == PERL_PHASE_START;
    return in_main ? phase(g, &PL_compiling, NYTP_LIT("main::NULL")) : g->r.node;
}

/* A program with a perl in it calls what that has compiled: nothing of perl's is running, and neither has it begun to
 * compile nor to end. */
static int is_from_host(pTHX_ const nytp_glue *g, const CV *callee) {
    if (g->r.node != &g->r.root || PL_curcop != &PL_compiling || PL_curstackinfo->si_type != PERLSI_MAIN) return 0;
    return cxstack_ix - !CvISXSUB(callee) < 0 && !PL_parser && PL_phase <= PERL_PHASE_RUN;
}

/* Since the last event, the end of the main program or of the call before, the time was the host's. */
static void go_to_host(nytp_glue *g) {
    nytp_node *host = phase(g, g, NYTP_LIT("(host)"));
    if (!host) return;
    g->r.node = host;
    nytp_touch_node(&g->r, host);
}

/* C code that was called by Perl code compiled before us makes a call: perl knows which statement that is. */
static int is_unseen(const COP *cop) {
    return (cop->op_type == OP_NEXTSTATE || cop->op_type == OP_DBSTATE) &&
           cop->op_ppaddr == nytp_glue_perl[cop->op_type];
}

/* Where C code makes a call, the stack pointer cannot tell whether it is the C function on top: after
 * `eval { undefined() }` a DESTROY or an overloaded operator may come before any hook that finds itself above the dead
 * one. But what catches an exception is a context around the C function, which is popped then. innermost is the
 * current stack's without what the call itself has pushed. */
static int has_died(pTHX_ const nytp_frame *leaf, I32 innermost) {
    for (const PERL_SI *si = PL_curstackinfo; si; si = si->si_prev) {
        if ((si == PL_curstackinfo ? innermost : si->si_cxix) >= leaf->depth) return 0;
    }
    return 1;
}

/* The first END block comes after all that ran, through exit or not. */
static int is_first_of_end(pTHX_ nytp_glue *g) {
    int first = PL_phase == PERL_PHASE_END && !g->ended;
    if (first) g->ended = 1;
    return first;
}

static void bury_dead(pTHX_ nytp_glue *g, const CV *callee) {
    I32 innermost = cxstack_ix - !CvISXSUB(callee);
    int all = is_first_of_end(aTHX_ g);
    while (g->r.frame && g->r.frame->leaf && (all || has_died(aTHX_ g->r.frame, innermost))) nytp_recorder_bury(&g->r);
}

/* Died, or replaced by goto: its context is there no more, or another one's by now. */
static int is_gone(pTHX_ const nytp_adopted *a) {
    const PERL_SI *si = PL_curstackinfo;
    while (si && si != a->si) si = si->si_prev;
    if (!si || a->cxix > si->si_cxix) return 1;
    const PERL_CONTEXT *cx = si->si_cxstack + a->cxix;
    return CxTYPE(cx) != CXt_SUB || cx->blk_sub.cv != a->cv;
}

/* It costs nothing to ask when a call is new in its context, and what calls in the place of a sub that is gone is. */
void nytp_sub_drop_gone(pTHX_ nytp_glue *g) {
    while (g->adopted_n && g->adopted[g->adopted_n - 1].frame == g->r.frame &&
           is_gone(aTHX_ &g->adopted[g->adopted_n - 1])) {
        nytp_exit_unseen(&g->r, g->adopted[--g->adopted_n].frame);
        nytp_touch_node(&g->r, g->r.node);
    }
}

NYTP_COLD nytp_node *find_node(pTHX_ nytp_glue *g, nytp_place *site, nytp_subkey key, const CV *cv) {
    nytp_sub_drop_gone(aTHX_ g);
    int saved = errno;
    bury_dead(aTHX_ g, cv);
    if (nytp_life_is_ours(cv)) return NULL;
    if (is_from_host(aTHX_ g, cv)) go_to_host(g);
    nytp_node *caller = nytp_leaf_caller(g);
    if (is_begin(aTHX_ cv)) {
        site = nytp_stmt_site(aTHX_ g, PL_curcop);
        caller = caller_of_begin(aTHX_ g);
    } else if (is_unseen(PL_curcop)) {
        site = nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix - !CvISXSUB(cv));
    }
    ENTER;
    SAVETMPS;
    nytp_sub *sub = nytp_subs_find(&g->r, key);
    if (!sub) sub = nytp_name_sub(aTHX_ g, key, cv);
    FREETMPS;
    LEAVE;
    nytp_node *n = sub && caller ? nytp_tree_child(&g->r, caller, site, sub) : NULL;
    errno = saved;
    return n;
}

NYTP_HOT nytp_node *node_of(pTHX_ nytp_glue *g, nytp_place *site, nytp_subkey key, const CV *cv) {
    nytp_node *n = nytp_cached_child(g->r.node, site, key);
    if (NYTP_LIKELY(n != NULL)) return n;
    n = nytp_tree_known(&g->r, g->r.node, site, key);
    return n ? (site->last_node = n) : find_node(aTHX_ g, site, key, cv);
}

/* ---- leaving ---- */

static void sub_left(pTHX_ void *frame) {
    dGLUE;
    if (READY(g))
        nytp_exit(&g->r, (nytp_frame *)frame, nytp_now(&g->r), NYTP_EVENT_EXIT);
    else
        nytp_exit_unseen(&g->r, (nytp_frame *)frame);
}

static void pop_adopted(pTHX_ nytp_glue *g) {
    const nytp_adopted *a = g->adopted + --g->adopted_n;
    if (READY(g))
        nytp_exit(&g->r, a->frame, nytp_now(&g->r), NYTP_EVENT_EXIT);
    else
        nytp_exit_unseen(&g->r, a->frame);
}

/* leavesub, leavesublv and return of subs that were running before profiling was switched on. */
static OP *leave_adopted(pTHX) {
    dGLUE;
    OP *next = PERLS_OWN(PL_op->op_type);
    while (g->adopted_n) {
        const nytp_adopted *a = g->adopted + g->adopted_n - 1;
        if (a->si == PL_curstackinfo && a->cxix <= cxstack_ix) break;
        pop_adopted(aTHX_ g);
    }
    return next;
}

/* ---- entering ---- */

/* SAVEDESTRUCTOR_X, without its call: 15 instructions of 400. */
NYTP_HOT void at_scope_end(pTHX_ nytp_frame *f) {
    SSCHECK(3);
    SSPUSHDXPTR(sub_left);
    SSPUSHPTR(f);
    SSPUSHUV(SAVEt_DESTRUCTOR_X);
}

/* 0: memory is short, and there is no frame. */
NYTP_HOT int enter(pTHX_ nytp_glue *g, nytp_place *site, nytp_subkey key, const CV *cv, int64_t now) {
    nytp_recorder *r = &g->r;
    nytp_node *n = node_of(aTHX_ g, site, key, cv);
    nytp_frame *f = n ? nytp_enter(r, n, g->resume ? r->place : NULL, r->native, now, NYTP_EVENT_ENTER) : NULL;
    if (NYTP_LIKELY(f != NULL)) at_scope_end(aTHX_ f);
    return f != NULL;
}

static inline nytp_place *site_of_caller(pTHX_ nytp_glue *g) {
    if (NYTP_UNLIKELY(PL_curcop == &PL_compiling)) return nytp_stmt_site(aTHX_ g, &PL_compiling);
    return NYTP_LIKELY(g->resume) ? g->r.place : nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix - 1);
}

/* A sub's first statement begins when the sub does: done here and now it needs no clock reading (18 ns on some
 * machines, a sixth of a call's cost) and no op of its own. */
NYTP_HOT OP *first_statement(pTHX_ nytp_glue *g, OP *next, int64_t now) {
#ifdef NYTP_STMT_INLINE
    nytp_place *p = next->op_ppaddr == nytp_stmt_nextstate_tsc ? nytp_stmt_plain(aTHX_ g, (COP *)next) : NULL;
    if (NYTP_UNLIKELY(!p)) return next;
    nytp_stmt_begin(aTHX_(COP *) next);
    nytp_count_statement(&g->r, p, now);
    return next->op_next;
#else
    return next;
#endif
}

/* A sub whose clock reading lies before perl's entersub: setting up its pad is its own cost, not the caller's. What the
 * event costs us falls to its first statement if that shares the reading. */
NYTP_HOT OP *call_perl(pTHX_ nytp_glue *g, const SV *called) {
    const OP *after = PL_op->op_next;
    int64_t now = nytp_now(&g->r);
    OP *next = PERLS_OWN(OP_ENTERSUB);
    if (NYTP_UNLIKELY(next == after || !next)) return next;
    const CV *cv = CX_CUR()->blk_sub.cv;
    int has_frame = enter(aTHX_ g, site_of_caller(aTHX_ g), key_of(cv, called), cv, now);
    next = first_statement(aTHX_ g, next, now);
    if (NYTP_LIKELY(has_frame)) nytp_entered(&g->r, NYTP_EVENT_ENTER);
    return next;
}

NYTP_HOT OP *call_c(pTHX_ nytp_glue *g, const CV *cv, const char *native) {
    nytp_place *site = nytp_leaf_site(aTHX_ g);
    nytp_node *n = node_of(aTHX_ g, site, key_of(cv, NULL), cv);
    if (NYTP_UNLIKELY(n && n->sub->ends_process)) nytp_control_summary(aTHX_ g, NYTP_END_EXIT);
    return nytp_leaf_run(aTHX_ g, n, OP_ENTERSUB, native, NYTP_WAIT_NO);
}

/* A call that dies for want of code is counted under the name that was wanted. */
static OP *call_nothing(pTHX_ nytp_glue *g, const GV *gv, const char *native) {
    nytp_subkey key = {gv, NULL, NULL, NULL};
    nytp_sub *sub = nytp_subs_find(&g->r, key);
    if (!sub) sub = nytp_name_undefined(aTHX_ g, key, gv);
    nytp_node *n = sub ? nytp_tree_child(&g->r, nytp_leaf_caller(g), nytp_leaf_site(aTHX_ g), sub) : NULL;
    return nytp_leaf_run(aTHX_ g, n, OP_ENTERSUB, native, NYTP_WAIT_NO);
}

NYTP_COLD OP *call_oddly(pTHX_ nytp_glue *g, const char *native) {
    SV **sp = PL_stack_sp;
    if (native >= g->r.native) nytp_recorder_heal(&g->r, native);
    const CV *cv = nytp_called_find(aTHX_ sp);
    if (cv && CvISXSUB(cv)) return call_c(aTHX_ g, cv, native);
    const GV *gv = nytp_called_in_vain(aTHX_ sp, cv);
    return gv ? call_nothing(aTHX_ g, gv, native) : call_perl(aTHX_ g, cv ? *sp : NULL);
}

OP *nytp_sub_entersub(pTHX) {
    dGLUE;
    if (!READY(g)) return PERLS_OWN(OP_ENTERSUB);
    SV *sv = *PL_stack_sp;
    const CV *cv = nytp_called_plainly(sv);
    if (NYTP_UNLIKELY(NATIVE_HERE >= g->r.native || !cv || !CvROOT(cv))) return call_oddly(aTHX_ g, NATIVE_HERE);
    return CvISXSUB(cv) ? call_c(aTHX_ g, cv, NATIVE_HERE) : call_perl(aTHX_ g, sv);
}

/* ---- goto &sub ---- */

static int leaves_adopted(const nytp_glue *g) {
    return g->adopted_n && g->adopted[g->adopted_n - 1].frame == g->r.frame;
}

/* A call that was not seen cannot be handed on: what is gone to runs as part of its caller. */
static OP *go_from_adopted(pTHX_ nytp_glue *g) {
    OP *next = PERLS_OWN(OP_GOTO);
    pop_adopted(aTHX_ g);
    return next;
}

/* The sub that begins with next; NULL if there is none: where nothing had that name, an AUTOLOAD in C has run instead,
 * and the context is the caller's, whatever that is. */
static const CV *entered(pTHX_ const OP *next) {
    const PERL_CONTEXT *cx = cxstack_ix >= 0 ? CX_CUR() : NULL;
    return cx && CxTYPE(cx) == CXt_SUB && CvSTART(cx->blk_sub.cv) == next ? cx->blk_sub.cv : NULL;
}

/* The frame of the sub that is left ends inside pp_goto, so the new one comes after it: its caller is the old one's
 * caller, its call site the line of the goto. A C sub has run by the time pp_goto returns. */
OP *nytp_sub_goto(pTHX) {
    dGLUE;
    SV *sv = *PL_stack_sp;
    if (!READY(g) || !(PL_op->op_flags & OPf_STACKED) || !SvROK(sv) || SvTYPE(SvRV(sv)) != SVt_PVCV)
        return PERLS_OWN(OP_GOTO);
    HEAL(g);
    if (leaves_adopted(g)) return go_from_adopted(aTHX_ g);
    const CV *cv = (const CV *)SvRV(sv);
    nytp_place *site = nytp_leaf_site(aTHX_ g);
    if (!CvISXSUB(cv)) {
        OP *next = PERLS_OWN(OP_GOTO);
        int64_t now = nytp_now(&g->r);
        cv = entered(aTHX_ next);
        if (cv && READY(g) && enter(aTHX_ g, site, key_of(cv, NULL), cv, now)) nytp_entered(&g->r, NYTP_EVENT_ENTER);
        return next;
    }
    nytp_subkey key = key_of(cv, NULL);
    OP *next = PERLS_OWN(OP_GOTO);
    nytp_node *n = READY(g) ? node_of(aTHX_ g, site, key, cv) : NULL;
    if (n) nytp_leaf_after(&g->r, n, nytp_now(&g->r));
    return next;
}

/* ---- subs that were running already ---- */

static U32 count_frames(const nytp_glue *g) {
    U32 n = 0;
    for (const nytp_frame *f = g->r.frame; f; f = f->below) n += !f->leaf;
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

/* Deeper nesting than any person writes. */
#define DEEPEST 2000

/* Whether code was compiled after our hooks were there: what is running calls something. */
static int is_hooked(const OP *o, int depth) {
    if (o->op_type == OP_ENTERSUB) return o->op_ppaddr == nytp_sub_entersub;
    if (!(o->op_flags & OPf_KIDS) || depth > DEEPEST) return 0;
    for (const OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid))
        if (is_hooked(kid, depth + 1)) return 1;
    return 0;
}

/* The ways out of a sub that is adopted get their hook now. Were it in all subs it would cost each call of each a
 * nanosecond or two. */
static void hook_returns(OP *o, int depth) {
    if (o->op_type == OP_LEAVESUB || o->op_type == OP_LEAVESUBLV || o->op_type == OP_RETURN)
        o->op_ppaddr = leave_adopted;
    if (!(o->op_flags & OPf_KIDS) || depth > DEEPEST) return;
    for (OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid)) hook_returns(kid, depth + 1);
}

/* The call was not seen, so it is not counted; what happens in it from now on is. */
static void adopt(pTHX_ nytp_glue *g, const PERL_SI *si, I32 cxix) {
    const PERL_CONTEXT *cx = si->si_cxstack + cxix;
    const CV *cv = cx->blk_sub.cv;
    if (!CvROOT(cv) || !is_hooked(CvROOT(cv), 0)) return;
    hook_returns(CvROOT(cv), 0);
    nytp_place *site = nytp_place_of(aTHX_ g, cx->blk_oldcop, cxix - 1);
    nytp_node *n = make_room(g) ? node_of(aTHX_ g, site, key_of(cv, NULL), cv) : NULL;
    if (!n) return;
    nytp_frame *f = nytp_enter(&g->r, n, g->resume ? site : NULL, g->r.native, g->r.node_last, NYTP_EVENT_ENTER);
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

void nytp_sub_adopt(pTHX_ nytp_glue *g) {
    U32 skip = count_frames(g);
    adopt_stack(aTHX_ g, PL_curstackinfo, &skip);
}
