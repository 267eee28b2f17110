/* SPDX-License-Identifier: MIT */
/* sub.c - calls: entersub and goto; an entry on perl's savestack reports the end of a sub, however it ends. */
#include "perl/called.h"
#include "perl/leaf.h"
#include "perl/stmt.h"

#include "record/session.h"
#include "record/subs.h"
#include "record/nodes.h"

/* The identity of a sub is read without perl's accessors: the body (shared by all closures of one piece of source; for
 * a C sub its function), the name and its package. CvGV would make globs, and a glob's address is no identity, as
 * set_subname makes a new glob each time. A named sub has its name, whatever it was imported as; an anonymous sub
 * called through a glob is told apart by that glob, so that two closures of one factory differ. */
static inline const void *body_of(const CV *cv) { return ((const XPVCV *)SvANY(cv))->xcv_root_u.xcv_root; }

/* The sub's glob, or, without one, its name. */
static inline const void *name_of(const CV *cv) { return ((const XPVCV *)SvANY(cv))->xcv_gv_u.xcv_gv; }

static inline int is_alias(const CV *cv, const SV *called) {
    return CvANON(cv) && called && SvTYPE(called) == SVt_PVGV;
}

static nytp_subkey key_of(const CV *cv, const SV *called) {
    nytp_subkey key = {body_of(cv), NULL, NULL, NULL};
    if (CvNAMED(cv)) {
        key.name = name_of(cv);
        key.package = CvSTASH(cv);
    } else if (name_of(cv)) {
        const GV *gv = (const GV *)name_of(cv);
        key.name = GvNAME_HEK(gv);
        key.package = GvSTASH(gv);
    }
    if (is_alias(cv, called)) key.alias = called;
    return key;
}

/* perl calls a BEGIN block from a statement op that it makes for the purpose, with the line it has compiled up to, and
 * with a call op without a successor. After a goto there is no current op. */
static int is_begin(pTHX_ const CV *cv) {
    const GV *gv = PL_op && !PL_op->op_next && !CvISXSUB(cv) && !CvNAMED(cv) ? CvGV((CV *)cv) : NULL;
    return gv && strEQ(GvNAME(gv), "BEGIN");
}

/* A call from C code that was called by Perl code without hooks: the call site is perl's current statement. */
static int is_unseen(const COP *cop) {
    return (cop->op_type == OP_NEXTSTATE || cop->op_type == OP_DBSTATE) &&
           cop->op_ppaddr == nytp_glue_perl[cop->op_type];
}

/* Where C code makes a call, the stack pointer cannot tell whether it is the C function on top: after `eval {
 * undefined() }` a DESTROY or an overloaded operator may come before any hook that finds itself above the dead one. But
 * an exception is caught by a context around the C function, which is popped then. */
static int has_died(pTHX_ const nytp_live_frame *leaf, I32 innermost) {
    for (const PERL_SI *si = PL_curstackinfo; si; si = si->si_prev) {
        if ((si == PL_curstackinfo ? innermost : si->si_cxix) >= leaf->depth) return 0;
    }
    return 1;
}

/* The first END block runs after the program, whether by exit or not. */
static int is_first_of_end(pTHX_ nytp_glue *g) {
    int first = PL_phase == PERL_PHASE_END && !g->ended;
    if (first) g->ended = 1;
    return first;
}

static void bury_dead(pTHX_ nytp_glue *g, I32 innermost) {
    int all = is_first_of_end(aTHX_ g);
    const nytp_live_frame *f;
    while ((f = nytp_current_frame(&g->r)) && f->leaf && (all || has_died(aTHX_ f, innermost)))
        nytp_recorder_bury(&g->r);
    if (all) nytp_phase_end_host(aTHX_ g, innermost);
}

NYTP_COLD nytp_live_node *find_node(pTHX_ nytp_glue *g, nytp_live_place *site, nytp_subkey key, const CV *cv) {
    nytp_adopted_drop_gone(aTHX_ g);
    int saved = errno;
    I32 innermost = cxstack_ix - !CvISXSUB(cv);
    bury_dead(aTHX_ g, innermost);
    nytp_phase_enter_host(aTHX_ g, innermost);
    if (nytp_glue_is_ours(cv)) return NULL; /* END blocks that mod_perl calls are in no END phase */
    nytp_live_node *caller = nytp_leaf_caller(g);
    if (is_begin(aTHX_ cv)) {
        site = nytp_stmt_site(aTHX_ g, PL_curcop);
        caller = nytp_phase_of_begin(aTHX_ g);
    } else if (is_unseen(PL_curcop)) {
        site = nytp_place_of(aTHX_ g, PL_curcop, innermost);
    }
    ENTER;
    SAVETMPS;
    nytp_live_sub *sub = nytp_subs_find(&g->r, key);
    if (!sub) sub = nytp_perl_name_sub(aTHX_ g, key, cv);
    FREETMPS;
    LEAVE;
    nytp_live_node *n = sub && caller ? nytp_nodes_child(&g->r, caller, site, sub) : NULL;
    if (n && caller == nytp_root(&g->r)) nytp_perl_name_thread(g, sub);
    errno = saved;
    return n;
}

static nytp_live_node *node_by_key(pTHX_ nytp_glue *g, nytp_live_place *site, nytp_subkey key, const CV *cv) {
    nytp_live_node *n = nytp_cached_child(nytp_current_node(&g->r), site, key);
    if (!n) n = nytp_nodes_known(&g->r, nytp_current_node(&g->r), site, key);
    if (n) return site->last_node = n;
    nytp_work cold = nytp_cold_begin(&g->r);
    n = find_node(aTHX_ g, site, key, cv);
    if (n) nytp_touch_node(&g->r, n);
    nytp_cold_end(&g->r, cold);
    return n;
}

NYTP_APART nytp_live_node *search(pTHX_ nytp_glue *g, nytp_live_place *site, const CV *cv,
                                                   const SV *called) {
    return node_by_key(aTHX_ g, site, key_of(cv, called), cv);
}

/* Whether key_of would give that key, without making one: saves 20 instructions of 400. */
NYTP_HOT int has_key(const CV *cv, const SV *called, const nytp_subkey *key) {
    const GV *gv = (const GV *)name_of(cv);
    if (NYTP_UNLIKELY(key->body != body_of(cv))) return 0;
    if (CvNAMED(cv)) return key->name == name_of(cv) && key->package == CvSTASH(cv);
    if (NYTP_UNLIKELY(!gv || (CvANON(cv) && (key->alias || is_alias(cv, called))))) return 0;
    return key->name == GvNAME_HEK(gv) && key->package == GvSTASH(gv);
}

/* Among the latest children of parent: where a statement makes two calls the site's last node is another. That is so
 * for a third of perlcritic's calls, and saves two of three of them a search of 150 instructions. */
NYTP_APART nytp_live_node *near_child(const nytp_live_node *parent, const nytp_live_place *site, const CV *cv,
                                                       const SV *called) {
    nytp_live_node *n = parent->first_child;
    for (int passed = 0; n && passed < NYTP_NEAR; passed++, n = n->next)
        if (n->site == site && has_key(cv, called, &n->sub->key)) return n;
    return NULL;
}

/* The site's last node, or in a recursion, where that is of another depth, the latest child of the current one: asked
 * here, it saves a call 12 instructions there. NULL: not among the latest children. */
NYTP_HOT nytp_live_node *cached(const nytp_glue *g, const nytp_live_place *site, const CV *cv, const SV *called) {
    const nytp_live_node *current = nytp_current_node(&g->r);
    nytp_live_node *n = site->last_node;
    if (NYTP_UNLIKELY(!n || n->parent != current)) {
        n = current->first_child;
        if (n && n->site != site) n = NULL;
    }
    if (NYTP_LIKELY(n && has_key(cv, called, &n->sub->key))) return n;
    return near_child(current, site, cv, called);
}

NYTP_HOT nytp_live_node *node_of(pTHX_ nytp_glue *g, nytp_live_place *site, const CV *cv, const SV *called) {
    nytp_live_node *n = cached(g, site, cv, called);
    return NYTP_LIKELY(n != NULL) ? n : search(aTHX_ g, site, cv, called);
}

nytp_live_node *nytp_sub_node(pTHX_ nytp_glue *g, nytp_live_place *site, const CV *cv) {
    return node_of(aTHX_ g, site, cv, NULL);
}

/* ---- leaving ---- */

NYTP_COLD void left_unseen(pTHX_ nytp_live_frame *f) {
    dGLUE;
    nytp_exit_unseen(&g->r, f);
}

static void sub_left(pTHX_ void *frame) {
    nytp_glue *g = nytp_perl_here(aTHX);
    if (NYTP_LIKELY(g != NULL)) nytp_exit(&g->r, (nytp_live_frame *)frame, nytp_now(&g->r), NYTP_EVENT_EXIT);
    else left_unseen(aTHX_(nytp_live_frame *) frame);
}

static void timed_sub_left(pTHX_ void *frame) {
    nytp_glue *g = nytp_perl_here(aTHX);
    if (NYTP_UNLIKELY(!g)) {
        left_unseen(aTHX_(nytp_live_frame *) frame);
        return;
    }
    nytp_growth_count(aTHX_ g);
    nytp_latency_exit(&g->r, (nytp_live_frame *)frame, nytp_now(&g->r), NYTP_EVENT_EXIT);
    nytp_growth_go_on(aTHX_ g);
}

/* ---- entering ---- */

/* SAVEDESTRUCTOR_X, without its call, and the stack's top written once: 22 instructions of 400. */
NYTP_HOT void at_scope_end(pTHX_ nytp_live_frame *f, int timed) {
    SSCHECK(3);
    ANY *top = PL_savestack + PL_savestack_ix;
    top[0].any_dxptr = timed ? timed_sub_left : sub_left;
    top[1].any_ptr = f;
    top[2].any_uv = SAVEt_DESTRUCTOR_X;
    PL_savestack_ix += 3;
}

/* Returns 0 when memory is short: then there is no frame. timed, here and below: option latency, memory or waiting is
 * set; the hooks give a constant for it. */
NYTP_HOT int enter(pTHX_ nytp_glue *g, nytp_live_node *n, int64_t now, int timed) {
    nytp_recorder *r = &g->r;
    nytp_live_place *resume = g->resume ? nytp_current_place(r) : NULL;
    nytp_live_frame *f = n ? nytp_enter(r, n, resume, nytp_current_native(r), now, NYTP_EVENT_ENTER) : NULL;
    if (NYTP_LIKELY(f != NULL)) at_scope_end(aTHX_ f, timed);
    if (timed && f) nytp_latency_begin(r, &f->timed, n, now, NYTP_EVENT_ENTER);
    return f != NULL;
}

/* The place of a call that is not made by the current statement. */
static nytp_live_place *site_of_caller(pTHX_ nytp_glue *g) {
    if (PL_curcop == &PL_compiling) return nytp_stmt_site(aTHX_ g, &PL_compiling);
    return nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix - 1);
}

/* A sub's first statement begins when the sub does: done here and now it needs no clock reading (18 ns on some
 * machines, a sixth of a call's cost) and no op of its own. */
NYTP_HOT OP *first_statement(pTHX_ nytp_glue *g, OP *next, int64_t now) {
#ifdef NYTP_STMT_INLINE
    nytp_live_place *p = next->op_ppaddr == nytp_stmt_quick ? nytp_stmt_plain(aTHX_ g, (COP *)next) : NULL;
    if (NYTP_UNLIKELY(!p)) return next;
    nytp_stmt_begin(aTHX_(COP *) next);
    nytp_count_statement(&g->r, p, now);
    return next->op_next;
#else
    return next;
#endif
}

/* The sub that begins with next; NULL if there is none: for an undefined name an AUTOLOAD in C may have run, and the
 * context is the caller's. */
static const CV *entered(pTHX_ const OP *next) {
    const PERL_CONTEXT *cx = cxstack_ix >= 0 ? CX_CUR() : NULL;
    return cx && CxTYPE(cx) == CXt_SUB && CvSTART(cx->blk_sub.cv) == next ? cx->blk_sub.cv : NULL;
}

/* Whether next begins cv, the callee; reading perl's context would take ten instructions more. An object may have been
 * replaced by other code with that beginning. */
NYTP_HOT int is_entered(const CV *cv, const OP *next) { return cv && CvSTART(cv) == next && !SvOBJECT(cv); }

/* A sub whose clock reading lies before perl's entersub: setting up its pad is its own cost, not the caller's. The
 * event's cost is charged to its first statement if that shares the reading. */
NYTP_HOT OP *call_perl(pTHX_ nytp_glue *g, const CV *cv, const SV *called, int timed) {
    int64_t now = nytp_now(&g->r);
    OP *next = PERLS_OWN(OP_ENTERSUB);
    if (NYTP_UNLIKELY(!is_entered(cv, next)) && !(cv = entered(aTHX_ next))) return next;
    if (timed) now = nytp_waiting_calls(g, now);
    if (timed) nytp_growth_count(aTHX_ g);
    int is_plain = NYTP_LIKELY(g->resume && PL_curcop != &PL_compiling);
    nytp_live_node *n = is_plain ? cached(g, nytp_current_place(&g->r), cv, called) : NULL;
    if (NYTP_UNLIKELY(!n)) {
        int64_t cold = nytp_cold_so_far(&g->r);
        n = search(aTHX_ g, is_plain ? nytp_current_place(&g->r) : site_of_caller(aTHX_ g), cv, called);
        now = nytp_past_cold(&g->r, now, cold);
    }
    int has_frame = enter(aTHX_ g, n, now, timed);
    next = first_statement(aTHX_ g, next, now);
    if (NYTP_LIKELY(has_frame)) nytp_entered(&g->r, NYTP_EVENT_ENTER);
    if (timed) nytp_growth_go_on(aTHX_ g);
    return next;
}

/* ---- calls that switch coroutines: coro.c ---- */

/* One that entersub has counted already is not counted again. */
NYTP_COLD void begin_switch(pTHX_ nytp_glue *g, const CV *cv, const char *native) {
    nytp_recorder *r = &g->r;
    int is_counted = g->counted == PL_op;
    g->counted = NULL;
    if (nytp_has_left_leaf(r, native)) nytp_recorder_heal(r, native);
    nytp_live_node *n = node_of(aTHX_ g, nytp_leaf_site(aTHX_ g), cv, NULL);
    nytp_live_place *resume = g->resume ? nytp_current_place(r) : NULL;
    nytp_live_frame *f = n ? nytp_enter(r, n, resume, native, nytp_now(r), NYTP_EVENT_LEAF_ENTER) : NULL;
    if (!f) return;
    nytp_entered(r, NYTP_EVENT_LEAF_ENTER);
    f->depth = cxstack_ix;
    n->calls -= (uint32_t)is_counted;
}

/* In a coroutine that goes on with another C stack perl runs the op again, for its second half: the call has its frame.
 * If another sub is called Coro's function leaves that to entersub, and would not accept a hook there. */
static OP *switch_coroutine(pTHX) {
    nytp_glue *g = nytp_perl_here(aTHX);
    const CV *cv = nytp_coro_called(aTHX);
    if (cv && g) begin_switch(aTHX_ g, cv, NATIVE_HERE);
    else if (!cv && !(g && nytp_current_native(&g->r) == NYTP_NATIVE_ELSEWHERE))
        nytp_coro_unhook(PL_op);
    return nytp_coro_own(aTHX);
}

static inline int is_timed(const nytp_glue *g) { return nytp_leaf_is_timed(&g->options); }

NYTP_COLD OP *call_special(pTHX_ nytp_glue *g, nytp_live_node *n, const char *native) {
    int timed = is_timed(g);
    enum nytp_wait wait = n->sub->manner == NYTP_MANNER_WAITS ? NYTP_WAIT_ANY : NYTP_WAIT_NO;
    if (n->sub->manner == NYTP_MANNER_ENDS) nytp_session_sum_up(&g->r, NYTP_END_EXIT);
    if (n->sub->manner != NYTP_MANNER_SWITCHES) return nytp_leaf_run(aTHX_ g, n, OP_ENTERSUB, native, wait, timed);
    nytp_coro_unhook(PL_op);
    return nytp_coro_hook(g, nytp_leaf_run(aTHX_ g, n, OP_ENTERSUB, native, wait, timed), switch_coroutine);
}

NYTP_HOT OP *call_c(pTHX_ nytp_glue *g, const CV *cv, const char *native, int timed) {
    nytp_live_place *site = nytp_leaf_site(aTHX_ g);
    nytp_live_node *n = node_of(aTHX_ g, site, cv, NULL);
    if (NYTP_UNLIKELY(n && n->sub->manner)) return call_special(aTHX_ g, n, native);
    return nytp_leaf_run(aTHX_ g, n, OP_ENTERSUB, native, NYTP_WAIT_NO, timed);
}

/* A call of an undefined sub, which dies, is counted under the name called. */
static OP *call_nothing(pTHX_ nytp_glue *g, const GV *gv, const char *native) {
    nytp_subkey key = {gv, NULL, NULL, NULL};
    nytp_live_sub *sub = nytp_subs_find(&g->r, key);
    if (!sub) sub = nytp_perl_name_undefined(aTHX_ g, key, gv);
    nytp_live_node *n = sub ? nytp_nodes_child(&g->r, nytp_leaf_caller(g), nytp_leaf_site(aTHX_ g), sub) : NULL;
    return nytp_leaf_run(aTHX_ g, n, OP_ENTERSUB, native, NYTP_WAIT_NO, is_timed(g));
}

NYTP_COLD OP *call_oddly(pTHX_ nytp_glue *g, const char *native) {
    SV **sp = PL_stack_sp;
    if (nytp_has_left_leaf(&g->r, native)) nytp_recorder_heal(&g->r, native);
    const CV *cv = nytp_called_find(aTHX_ sp);
    if (cv && CvISXSUB(cv)) return call_c(aTHX_ g, cv, native, is_timed(g));
    const GV *gv = cv && CvROOT(cv) ? NULL : nytp_called_in_vain(aTHX_ sp, cv);
    return gv ? call_nothing(aTHX_ g, gv, native) : call_perl(aTHX_ g, cv, cv ? *sp : NULL, is_timed(g));
}

NYTP_APART OP *call_unseen(pTHX) {
    nytp_coro_unhook(PL_op);
    return nytp_coro_hook(NULL, PERLS_OWN(OP_ENTERSUB), switch_coroutine);
}

NYTP_HOT OP *entersub(pTHX_ int timed) {
    nytp_glue *g = nytp_perl_here(aTHX);
    if (NYTP_UNLIKELY(!g)) return call_unseen(aTHX);
    if (timed) nytp_growth_count(aTHX_ g);
    SV *sv = *PL_stack_sp;
    const CV *cv = nytp_called_plainly(sv);
    if (NYTP_UNLIKELY(nytp_has_left_leaf(&g->r, NATIVE_HERE) || !cv || !CvROOT(cv)))
        return call_oddly(aTHX_ g, NATIVE_HERE);
    return CvISXSUB(cv) ? call_c(aTHX_ g, cv, NATIVE_HERE, timed) : call_perl(aTHX_ g, cv, sv, timed);
}

OP *nytp_sub_entersub(pTHX) { return entersub(aTHX_ 0); }

OP *nytp_sub_entersub_timed(pTHX) { return entersub(aTHX_ 1); }

/* ---- goto &sub ---- */

/* A C sub that has run waited, and made values, at its own node. */
static int64_t after_goto(pTHX_ nytp_glue *g, nytp_live_node *n, int64_t now) {
    nytp_live_node *caller = nytp_current_node(&g->r);
    nytp_replace_node(&g->r, n->into);
    now = nytp_waiting_after(g, now);
    nytp_growth_count(aTHX_ g);
    nytp_replace_node(&g->r, caller);
    return now;
}

/* The frame of the sub that is left ends inside pp_goto, so the new one comes after it: its caller is the old one's
 * caller, its call site the line of the goto. A C sub has run by the time pp_goto returns. */
NYTP_HOT OP *go_to(pTHX_ const char *native, int timed) {
    SV *sv = *PL_stack_sp;
    nytp_glue *g = nytp_perl_here(aTHX);
    if (!g || !(PL_op->op_flags & OPf_STACKED) || !SvROK(sv) || SvTYPE(SvRV(sv)) != SVt_PVCV)
        return PERLS_OWN(OP_GOTO);
    if (timed) nytp_growth_count(aTHX_ g);
    if (NYTP_UNLIKELY(nytp_has_left_leaf(&g->r, native))) nytp_recorder_heal(&g->r, native);
    if (nytp_adopted_is_top(g)) return nytp_adopted_go(aTHX_ g);
    const CV *cv = (const CV *)SvRV(sv);
    nytp_live_place *site = nytp_leaf_site(aTHX_ g);
    if (!CvISXSUB(cv)) {
        OP *next = PERLS_OWN(OP_GOTO);
        if (timed) nytp_growth_count(aTHX_ g);
        cv = entered(aTHX_ next);
        nytp_live_node *n = cv && IS_PROFILED ? node_of(aTHX_ g, site, cv, NULL) : NULL;
        if (n && enter(aTHX_ g, n, nytp_now(&g->r), timed)) nytp_entered(&g->r, NYTP_EVENT_ENTER);
        if (timed) nytp_growth_go_on(aTHX_ g);
        return next;
    }
    nytp_subkey key = key_of(cv, NULL);
    OP *next = PERLS_OWN(OP_GOTO);
    nytp_live_node *n = IS_PROFILED ? node_by_key(aTHX_ g, site, key, cv) : NULL;
    if (!n) return next;
    int64_t now = nytp_now(&g->r);
    if (timed) now = after_goto(aTHX_ g, n, now);
    int64_t since = nytp_node_since(&g->r);
    nytp_leaf_after(&g->r, n, now);
    if (timed) nytp_latency_after(&g->r, n, since, now);
    return next;
}

OP *nytp_sub_goto(pTHX) { return go_to(aTHX_ NATIVE_HERE, 0); }

OP *nytp_sub_goto_timed(pTHX) { return go_to(aTHX_ NATIVE_HERE, 1); }
