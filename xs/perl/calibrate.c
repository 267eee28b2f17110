/* SPDX-License-Identifier: MIT */
/* calibrate.c - measures the prices of our hooks: the loops are subs of Devel::NYTProf::Core, compiled before there are
 * hooks; their ops are pointed to the hooks and back. So nothing is compiled here, and no eval number, hash order or
 * random number of the program changes. Loops run in a recorder of their own, without an output.
 *
 * At the start that takes half a millisecond. It is repeated between two statements of the program, on a stack of its
 * own, as perl runs methods of ties, with signals deferred. */
#include "perl/glue.h"

#include <signal.h>

#include "record/calibrate.h"
#include "record/handlers.h"

#define PAIRS_AT_START 12
#define PAIRS_LATER 4
#define ROUNDS 5

/* The part of the state that hooks use, up to its options. Swapped in place because the recorder points into itself. */
#define HEAD (offsetof(nytp_glue, options) - offsetof(nytp_glue, cops))

/* The loops, and the subs that they call. */
static const char *const names[] = {"_base", "_statement", "_switch", "_call", "_leaf",
                                    "_nothing", "_pass", "_sum", "_method"};
#define SUBS (sizeof names / sizeof *names)

typedef struct sub {
    CV *cv;
    OP *root;
} sub;

struct nytp_calibrator {
    nytp_calibration all;
    nytp_glue *g;
    sub subs[SUBS];
    char head[HEAD]; /* head of the loops' state, or of the program's while loops run */
};

static sub find(pTHX_ const char *name) {
    char full[64];
    my_snprintf(full, sizeof full, "Devel::NYTProf::Core::%s", name);
    CV *cv = get_cv(full, 0);
    return (sub){cv, cv && !CvISXSUB(cv) ? CvROOT(cv) : NULL};
}

/* ---- running loops ---- */

static void call(pTHX_ CV *cv) {
    dSP;
    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    mXPUSHi(ROUNDS);
    PUTBACK;
    call_sv((SV *)cv, G_VOID | G_DISCARD);
    FREETMPS;
    LEAVE;
}

static int64_t run(void *self, int loop) {
    nytp_calibrator *c = (nytp_calibrator *)self;
    dTHXa(c->g->perl);
    int64_t start = nytp_calibrate_now(&c->g->r);
    call(aTHX_ c->subs[loop].cv);
    return nytp_calibrate_now(&c->g->r) - start;
}

static void point(pTHX_ OP *o, const Perl_ppaddr_t *from, const Perl_ppaddr_t *to) {
    if (o->op_ppaddr == from[o->op_type]) o->op_ppaddr = to[o->op_type];
    if (!(o->op_flags & OPf_KIDS)) return;
    for (OP *kid = cUNOPx(o)->op_first; kid; kid = OpSIBLING(kid)) point(aTHX_ kid, from, to);
}

static void set_hooks(void *self, int on) {
    nytp_calibrator *c = (nytp_calibrator *)self;
    dTHXa(c->g->perl);
    const Perl_ppaddr_t *from = on ? nytp_glue_perl : PL_ppaddr, *to = on ? PL_ppaddr : nytp_glue_perl;
    for (size_t i = 0; i < SUBS; i++) point(aTHX_ c->subs[i].root, from, to);
}

static void swap_heads(nytp_calibrator *c) {
    char program[HEAD];
    memcpy(program, (const void *)&c->g->cops, HEAD);
    memcpy((void *)&c->g->cops, c->head, HEAD);
    memcpy(c->head, program, HEAD);
}

static void measure(pTHX_ nytp_calibrator *c, int pairs) {
    nytp_glue *g = c->g;
    nytp_resolved files = g->resolved;
    Zero(&g->resolved, 1, nytp_resolved);
    const AV *stack = g->stack;
    swap_heads(c);
    g->stack = PL_mainstack;
    nytp_calibrate_measure(&c->all, pairs);
    g->stack = stack;
    swap_heads(c);
    nytp_file_forget(&g->resolved);
    g->resolved = files;
}

/* ---- later ---- */

static void no_handlers(pTHX) {}

/* A program may have wrapped or removed all subs, ours included: then calibration is skipped. */
static int are_ours(pTHX_ const nytp_calibrator *c) {
    const CV *leaf = get_cv("Devel::NYTProf::Core::_c_nothing", 0);
    if (!leaf || !CvISXSUB(leaf)) return 0;
    for (size_t i = 0; i < SUBS; i++) {
        sub now = find(aTHX_ names[i]);
        if (now.cv != c->subs[i].cv || now.root != c->subs[i].root) return 0;
    }
    return 1;
}

/* A handler set by POSIX::sigaction runs at once, and may die or exit, in the loops' state. So signals are blocked, but
 * those raised by the processor. */
static void hold_signals(sigset_t *before) {
    static const int at_once[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof at_once / sizeof *at_once; i++) sigdelset(&all, at_once[i]);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

/* Signals that come now are handled after the loops. */
static void measure_quietly(pTHX_ nytp_calibrator *c) {
    dSP;
    dSAVE_ERRNO;
    despatch_signals_proc_t handlers = PL_signalhook;
    COP *cop = (COP *)PL_curcop;
    OP *op = PL_op;
    PL_signalhook = no_handlers;
    PUSHSTACKi(PERLSI_MAGIC);
    measure(aTHX_ c, PAIRS_LATER);
    SPAGAIN;
    POPSTACK;
    PL_signalhook = handlers;
    PL_curcop = cop;
    PL_op = op;
    RESTORE_ERRNO;
}

static int is_plain_place(pTHX) {
    return PL_phase == PERL_PHASE_RUN && PL_curstackinfo->si_type == PERLSI_MAIN && !PERLDB_SUB_NN;
}

/* Takes at most a five-hundredth of the run. */
static void again(pTHX_ nytp_glue *g, int64_t now) {
    nytp_calibrator *c = g->calibrator;
    if (!c || !nytp_calibrate_is_due(&c->all, &g->r, now) || !is_plain_place(aTHX)) return;
    if (!are_ours(aTHX_ c)) {
        c->all.next = INT64_MAX;
        return;
    }
    sigset_t before;
    hold_signals(&before);
    int64_t begin = nytp_now(&g->r);
    nytp_handlers_hold(&g->r);
    measure_quietly(aTHX_ c);
    nytp_handlers_release(&g->r);
    nytp_calibrate_done(&c->all, &g->r, begin);
    pthread_sigmask(SIG_SETMASK, &before, NULL); /* last, as a handler may not return */
}

/* ---- at the start ---- */

static int find_subs(pTHX_ nytp_calibrator *c) {
    for (size_t i = 0; i < SUBS; i++) {
        c->subs[i] = find(aTHX_ names[i]);
        if (!c->subs[i].root) return 0;
    }
    return 1;
}

/* At the program's position on the stack. */
static int open_recorder(nytp_calibrator *c) {
    nytp_glue *g = c->g;
    nytp_error e = {0};
    nytp_front front = *nytp_front_of(&g->r);
    nytp_clock clock = *nytp_clock_of(&g->r);
    U32 resume = g->resume, grows = g->options.memory != 0;
    swap_heads(c);
    nytp_share_clock(&g->r, &clock);
    g->resume = resume;
    g->grows = grows;
    g->cop_mask = 4095; /* few statements share a slot, in which they would evict each other */
    g->cops = nytp_stmt_table(g->cop_mask + 1);
    int failed = !g->cops || nytp_recorder_open(&g->r, &g->options, &front, &e);
    nytp_rehearse(&g->r);
    swap_heads(c);
    return !failed;
}

static void begin(pTHX_ nytp_glue *g) {
    nytp_calibrator *c = g->calibrator = (nytp_calibrator *)calloc(1, sizeof *c);
    if (!c) return;
    c->g = g;
    g->when_due = again;
    c->all.self = c;
    c->all.recorder = &g->r;
    c->all.run = run;
    c->all.hook = set_hooks;
    c->all.exit_share = 40; /* the hooks' share of instructions behind the readings */
    c->all.leaf_exit_share = 50;
    c->all.rarely = 500;
    if (find_subs(aTHX_ c) && open_recorder(c)) {
        measure(aTHX_ c, PAIRS_AT_START);
        nytp_calibrate_prices(&c->all, nytp_front_prices(&g->r));
    } else {
        nytp_perl_calibrate_end(g);
    }
}

void nytp_perl_calibrate(pTHX_ nytp_glue *g) {
    if (nytp_calibrate_is_wanted(&g->r)) begin(aTHX_ g);
}

void nytp_perl_calibrate_end(nytp_glue *g) {
    nytp_calibrator *c = g->calibrator;
    if (!c) return;
    swap_heads(c);
    free(g->cops);
    nytp_recorder_close(&g->r);
    swap_heads(c);
    free(c);
    g->calibrator = NULL;
    g->when_due = NULL;
}
