/* SPDX-License-Identifier: MIT */
/* leave.c - at the end of a block, an eval or a loop's body the statement around it becomes current again, uncounted.
 *
 * Without this the rest of `foo() || mkdir $d` would belong to the last line of foo, and a loop's condition to the last
 * line of its body. */
#include "perl/growth.h"

/* The height of perl's savestack at the beginning of the innermost context's scope. */
#ifdef CX_LEAVE_SCOPE
#define SAVED_BEFORE(cx) ((cx)->blk_oldsaveix)
#else /* before perl 5.24 */
#define SAVED_BEFORE(cx) (PL_scopestack[PL_scopestack_ix - 1])
#endif

NYTP_HOT int is_statement(const OP *o) { return o && (o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE); }

static void back_in(nytp_glue *g, nytp_live_place *p) {
    if (p != nytp_current_place(&g->r)) nytp_switch(&g->r, p, nytp_now(&g->r));
}

/* Without an event values belong to the statement that goes on. */
static void back_in_grows(pTHX_ nytp_glue *g, nytp_live_place *p) {
    if (p == nytp_current_place(&g->r)) return;
    nytp_growth_count(aTHX_ g);
    back_in(g, p);
    nytp_growth_go_on(aTHX_ g);
}

/* The main program, or the host's eval, has ended: time from now on is charged to no statement. */
NYTP_COLD void leave_program(pTHX_ nytp_glue *g, const OP *next) {
    if (next || cxstack_ix >= 0 || PL_curstackinfo->si_type != PERLSI_MAIN) return;
    nytp_growth_count(aTHX_ g);
    nytp_jump(&g->r, nytp_current_node(&g->r), nytp_nowhere(&g->r), nytp_now(&g->r));
}

/* 1 at the end of a loop's body without variables or temporaries to free, where only perl's own step follows. An event
 * here would be the fourth of a round with an if and else at its end. */
NYTP_HOT int only_ends_round(pTHX_ const OP *next) {
    if (!next || next->op_type != OP_UNSTACK || PL_tmps_ix > PL_tmps_floor) return 0;
    const PERL_CONTEXT *cx = CX_CUR();
    return CxTYPE_is_LOOP(cx) && cx->blk_loop.my_op->op_nextop == next && PL_savestack_ix == SAVED_BEFORE(cx);
}

/* Where another statement follows at once no event is needed. */
NYTP_HOT OP *leave_block(pTHX_ int grows) {
    OP *next = PERLS_OWN(PL_op->op_type);
    if (is_statement(next) || only_ends_round(aTHX_ next)) return next;
    nytp_glue *g = nytp_perl_here(aTHX);
    if (NYTP_UNLIKELY(!g)) return next;
    if (NYTP_UNLIKELY(PL_curcop == &PL_compiling)) leave_program(aTHX_ g, next);
    else if (grows) back_in_grows(aTHX_ g, nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix));
    else back_in(g, nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix));
    return next;
}

static OP *block_left(pTHX) { return leave_block(aTHX_ 0); }
static OP *block_left_grows(pTHX) { return leave_block(aTHX_ 1); }
Perl_ppaddr_t nytp_leave_hook(int grows) { return grows ? block_left_grows : block_left; }

static int is_foreach(const PERL_CONTEXT *cx) { return CxTYPE_is_LOOP(cx) && CxTYPE(cx) != CXt_LOOP_PLAIN; }

/* foreach over a list or a range runs no code between two rounds: the few nanoseconds it takes to step on are left
 * with the body's last statement, which saves reading the clock for every round. Unless the body is an expression,
 * which goes on with the loop's own statement. */
static int goes_on_with_statement(const PERL_CONTEXT *cx) {
    U32 type = CxTYPE(cx);
    int has_list = type == CXt_LOOP_LAZYIV || type == CXt_LOOP_LAZYSV;
#ifdef CXt_LOOP_LIST
    has_list |= type == CXt_LOOP_LIST;
#endif
    return has_list && is_statement(cx->blk_loop.my_op->op_redoop);
}

/* Ops that run other statements and do not come back to this one, as a call does: a sort, a substitution, a write, and
 * patterns with code in them, which a pattern that is made while the program runs may have. */
static int runs_statements(const OP *o) {
    switch (o->op_type) {
    case OP_NEXTSTATE:
    case OP_DBSTATE:
    case OP_ENTEREVAL:
    case OP_REQUIRE:
    case OP_DOFILE:
    case OP_ENTERWRITE:
    case OP_SORT:
    case OP_SUBST:
    case OP_REGCOMP:
    case OP_SPLIT: return 1;
    case OP_MATCH: return cPMOPx(o)->op_code_list != NULL;
    default: return 0;
    }
}

/* Ops nested too deeply to be examined count as such. */
static int has_statements(const OP *o, int depth) {
    if (runs_statements(o) || depth > NYTP_DEEPEST) return 1;
    if (!(o->op_flags & OPf_KIDS)) return 0;
    for (const OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid))
        if (has_statements(kid, depth + 1)) return 1;
    return 0;
}

/* Whether body and condition, beside what begins the loop, are expressions within one statement: where the body of a
 * C-style loop has but one, perl takes its op away. Without subs there are no calls that go back. */
static int stays_in_statement(const nytp_glue *g, const PERL_CONTEXT *cx) {
    const OP *body = OpSIBLING((OP *)cx->blk_loop.my_op);
    return g->options.subs && !is_statement(cx->blk_loop.my_op->op_redoop) && body &&
           !has_statements(body, 0);
}

/* At the end of a loop's body perl's current statement is still the body's last; the loop's own is the one that was
 * current when the loop was entered. Its enclosing block is the one outside. */
NYTP_HOT OP *go_back_in_loop(pTHX_ int grows) {
    OP *next = PERLS_OWN(OP_UNSTACK);
    const PERL_CONTEXT *cx = CX_CUR();
    nytp_glue *g = nytp_perl_here(aTHX);
    if (!g || !CxTYPE_is_LOOP(cx)) return next;
    nytp_live_place *p = nytp_place_of(aTHX_ g, cx->blk_oldcop, cxstack_ix - 1);
    if (grows) back_in_grows(aTHX_ g, p);
    else back_in(g, p);
    return next;
}

static OP *back_in_loop(pTHX) { return go_back_in_loop(aTHX_ 0); }
static OP *back_in_loop_grows(pTHX) { return go_back_in_loop(aTHX_ 1); }

/* Between a C-style loop's first expression and the loop there is the same op, and its context is another loop's. */
static int is_before_loop(const OP *o) { return (o->op_flags & OPf_SPECIAL) != 0; }

static int needs_no_event(const nytp_glue *g, const OP *o, const PERL_CONTEXT *cx) {
    if (is_before_loop(o)) return 1;
    return CxTYPE_is_LOOP(cx) && ((is_foreach(cx) && goes_on_with_statement(cx)) || stays_in_statement(g, cx));
}

/* The kind of loop is found when it first runs, in whichever thread, and does not change. A hook that has nothing to do
 * in any round is removed, which saves 3 ns a round. Another module's hook around ours stays. */
NYTP_HOT OP *first_round(pTHX_ Perl_ppaddr_t hook, Perl_ppaddr_t back) {
    nytp_glue *g = nytp_perl_here(aTHX);
    OP *o = PL_op;
    if (!g) return PERLS_OWN(OP_UNSTACK);
    int is_idle = needs_no_event(g, o, CX_CUR());
    nytp_op_replace(o, hook, is_idle ? nytp_glue_perl[OP_UNSTACK] : back);
    return is_idle ? PERLS_OWN(OP_UNSTACK) : back(aTHX);
}

static OP *unstack(pTHX) { return first_round(aTHX_ unstack, back_in_loop); }
static OP *unstack_grows(pTHX) { return first_round(aTHX_ unstack_grows, back_in_loop_grows); }
Perl_ppaddr_t nytp_leave_loop_hook(int grows) { return grows ? unstack_grows : unstack; }
