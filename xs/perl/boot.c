/* SPDX-License-Identifier: MIT */
/* boot.c - puts the hooks into PL_ppaddr: a table of ops by name, which serves all versions of perl. */
#include "perl/body.h"
#include "perl/growth.h"
#include "perl/leaf.h"
#include "perl/opnames.h"

#include "record/subs.h"

static const char *const returning[] = {"leave",     "leaveloop",     "leaveeval", "leavetry", "leavegiven",
                                        "leavewhen", "leavetrycatch", "poptry",    NULL};

static const char *const sub_returning[] = {"leavesub", "leavesublv", "return", NULL};

/* Our hook for each op; NULL: none. */
static Perl_ppaddr_t hooks[MAXO];

/* The clock that the hooks read; of no rate while there are none. */
static nytp_clock clock_of_hooks;

/* Another module's hook around ours stays, and goes on calling ours. */
static void hook_op(pTHX_ int type, Perl_ppaddr_t function) {
    if (!hooks[type]) PL_ppaddr[type] = hooks[type] = function;
}

/* Lists of ops by the first letter of their names, since every start looks for two hundred names among four hundred.
 * The same for all interpreters. Entries are op numbers plus 1; 0 ends a list. */
static U16 last_of_letter[256], before_in_letter[MAXO + 1];

static void remember_perls_own(pTHX) {
    Zero(last_of_letter, 256, U16);
    for (int type = 0; type < MAXO; type++) {
        U8 letter = (U8)PL_op_name[type][0];
        before_in_letter[type + 1] = last_of_letter[letter];
        last_of_letter[letter] = (U16)(type + 1);
        if (!hooks[type]) nytp_glue_perl[type] = PL_ppaddr[type];
    }
}

static void hook(pTHX_ const char *name, Perl_ppaddr_t function) {
    for (int number = last_of_letter[(U8)name[0]]; number; number = before_in_letter[number])
        if (strEQ(PL_op_name[number - 1], name)) hook_op(aTHX_ number - 1, function);
}

static void hook_all(pTHX_ const char *const *names, Perl_ppaddr_t function) {
    for (; *names; names++) hook(aTHX_ *names, function);
}

/* Slow ops are shown as subs. */
static int has_slowops(const nytp_options *o) { return o->subs && o->slowops; }

static int counts_values(const nytp_options *o) { return o->memory != 0; }

static void hook_leaves(pTHX_ const nytp_options *o) {
    Perl_ppaddr_t leave = nytp_leave_hook(counts_values(o));
    hook_all(aTHX_ returning, leave);
    hook(aTHX_ "unstack", nytp_leave_loop_hook(counts_values(o)));
    if (!o->subs) hook_all(aTHX_ sub_returning, leave);
    if (!has_slowops(o)) hook(aTHX_ "leavewrite", leave);
}

/* Forgets freed code, as other code may follow at its address. */
static int is_root(int type) {
    return type == OP_LEAVESUB || type == OP_LEAVESUBLV || type == OP_LEAVEEVAL || type == OP_LEAVEWRITE;
}

/* A source filter is added in a BEGIN block. perl calls the block from a statement op of its own, which it frees before
 * it reads on; the block itself may live on in a closure. */
static int may_follow_filter(pTHX_ const OP *o) {
    return (o->op_type == OP_NEXTSTATE || o->op_type == OP_DBSTATE) && PL_parser && PL_parser->rsfp_filters;
}

static void watch_source(pTHX) {
    dGLUE;
    if (g->perl != THIS_PERL) return;
    nytp_growth_work cold = nytp_growth_cold_begin(g);
    nytp_perl_source_watch(aTHX_ g, 0);
    nytp_growth_cold_end(g, cold);
}

static Perl_ophook_t next_free_hook;

static void op_freed(pTHX_ OP *o) {
    if (may_follow_filter(aTHX_ o) && PL_phase != PERL_PHASE_DESTRUCT) watch_source(aTHX);
    if (is_root(o->op_type)) {
        dGLUE;
        if (g->perl == THIS_PERL) { /* not so once our state is freed */
            nytp_growth_work cold = nytp_growth_cold_begin(g);
            nytp_subs_forget(&g->r, o);
            nytp_body_freed(aTHX_ g, o);
            nytp_growth_cold_end(g, cold);
        }
    }
    if (next_free_hook) next_free_hook(aTHX_ o);
}

static void hook_subs(pTHX_ int timed) {
    hook(aTHX_ "entersub", timed ? nytp_sub_entersub_timed : nytp_sub_entersub);
    hook(aTHX_ "goto", timed ? nytp_sub_goto_timed : nytp_sub_goto);
}

static void hook_slowops(pTHX_ int timed) {
    hook_all(aTHX_ nytp_opnames_slow, nytp_slowop_hook(NYTP_WAIT_NO, timed));
    hook_all(aTHX_ nytp_opnames_blocking, nytp_slowop_hook(NYTP_WAIT_ANY, timed));
    hook_all(aTHX_ nytp_opnames_waiting, nytp_slowop_hook(NYTP_WAIT_CHILD, timed));
    hook_all(aTHX_ nytp_opnames_reading, nytp_slowop_hook(NYTP_WAIT_INPUT, timed));
    hook_all(aTHX_ nytp_opnames_closing, nytp_slowop_hook(NYTP_WAIT_PIPE, timed));
    hook_all(aTHX_ nytp_opnames_accepting, nytp_slowop_hook(NYTP_WAIT_CLIENT, timed));
}

/* Unlike PL_ppaddr this hook is per interpreter, so the next interpreter of the process needs it again. */
static void watch_freed_ops(pTHX) {
    if (PL_opfreehook == op_freed) return;
    next_free_hook = PL_opfreehook;
    PL_opfreehook = op_freed;
}

/* Another module's hook in a clone calls ours, as in the interpreter that it was cloned from. */
void nytp_boot_clone(pTHX) {
    if (!PL_opfreehook) PL_opfreehook = op_freed;
}

static void watch_made_ops(void) {
    for (int type = 0; type < MAXO; type++) {
        if (!is_root(type) || nytp_glue_perls_check[type]) continue;
        nytp_glue_perls_check[type] = PL_check[type];
        PL_check[type] = nytp_body_check;
    }
}

static void hook_compiling(pTHX) {
    watch_made_ops();
    watch_freed_ops(aTHX);
    hook(aTHX_ "entereval", nytp_eval_enter);
    hook(aTHX_ "require", nytp_perl_source_require);
    hook(aTHX_ "dofile", nytp_perl_source_require);
}

void nytp_boot_exec(pTHX) {
    nytp_interp_lock();
    if (!hooks[OP_EXEC]) nytp_glue_perl[OP_EXEC] = PL_ppaddr[OP_EXEC];
    hook_op(aTHX_ OP_EXEC, nytp_process_exec);
    nytp_interp_unlock();
}

void nytp_boot_hooks(pTHX_ nytp_glue *g) {
    const nytp_options *o = &g->options;
    nytp_interp_lock();
    if (!clock_of_hooks.ticks_per_second) {
        remember_perls_own(aTHX);
        clock_of_hooks = *nytp_clock_of(&g->r);
    }
    hook_compiling(aTHX);
    if (o->stmts && o->use_db_sub) {
        hook(aTHX_ "dbstate", nytp_stmt_before_db);
    } else if (o->stmts) {
        hook(aTHX_ "nextstate", nytp_stmt_hook(nytp_clock_of(&g->r), counts_values(o)));
        hook(aTHX_ "dbstate", nytp_stmt_db_hook(counts_values(o)));
    }
    if (g->resume) hook_leaves(aTHX_ o);
    if (o->subs) hook_subs(aTHX_ nytp_leaf_is_timed(o));
    if (has_slowops(o)) hook_slowops(aTHX_ nytp_leaf_is_timed(o));
    hook(aTHX_ "exec", nytp_process_exec);
    hook(aTHX_ "kill", nytp_process_kill);
    hook(aTHX_ "fork", nytp_process_forks);
    if (!has_slowops(o)) hook(aTHX_ "open", nytp_process_forks); /* with slowops its end is an event */
    nytp_interp_unlock();
}

void nytp_boot_share_clock(nytp_glue *g) {
    nytp_interp_lock();
    if (clock_of_hooks.ticks_per_second) nytp_share_clock(&g->r, &clock_of_hooks);
    nytp_interp_unlock();
}

void nytp_boot_unhook(pTHX) {
    clock_of_hooks = (nytp_clock){0};
    for (int type = 0; type < MAXO; type++) {
        if (!hooks[type] || PL_ppaddr[type] != hooks[type]) continue;
        PL_ppaddr[type] = nytp_glue_perl[type];
        hooks[type] = NULL;
    }
    for (int type = 0; type < MAXO; type++) {
        if (PL_check[type] != nytp_body_check) continue;
        PL_check[type] = nytp_glue_perls_check[type];
        nytp_glue_perls_check[type] = NULL;
    }
}
