/* SPDX-License-Identifier: MIT */
/* life.c - from loading to the last byte: the state of an interpreter, options, start and end of profiling. */
#include "perl/body.h"
#include "perl/counted.h"
#include "perl/describe.h"
#include "perl/growth.h"
#include "perl/pool.h"
#include "perl/sampling.h"
#include "perl/waiting.h"
#include "perl/watching.h"

#include "record/handlers.h"
#include "record/output.h"

/* ---- functions for the recorder ---- */

static void writes(void *self, int begins) {
    nytp_glue *g = (nytp_glue *)self;
    nytp_waiting_writes(g, begins);
    nytp_signals_wait(g, begins);
    nytp_watching_writes(g, begins);
}

nytp_front nytp_perl_life_front(nytp_glue *g) {
    nytp_front front = {0};
    front.self = g;
    front.interpreter = nytp_str_c(g->interpreter);
    front.number = NYTP_FRONT_PERL;
    front.source = nytp_perl_source_text;
    front.key = nytp_perl_disk_key;
    front.describe = nytp_describe;
    front.say = nytp_perl_log_say;
    front.forked = nytp_control_forked;
    front.stopped = nytp_control_stopped;
    front.seen = g->options.sample ? nytp_watching_take : NULL;
    front.writes = writes;
    front.left = nytp_waiting_left;
    front.counters = g->options.waiting || g->options.memory ? nytp_counted_rows : NULL;
    front.complete = nytp_control_complete;
    front.in_child = nytp_process_in_child;
    front.thread_ends = nytp_thread_ends;
    front.shares_name = (uint32_t)nytp_describe_is_for_all();
    front.waits_for_children = front.answers = 1;
    front.times_calls = g->options.subs && g->options.format != NYTP_OUTPUT_V5;
    return front;
}

/* ---- the state ---- */

/* While no interpreter has a state, nytp_glue_nobody keeps the list of finished files, which must not be
 * overwritten. */
void nytp_perl_life_end(pTHX_ nytp_glue *g) {
    int is_last = nytp_interp_is_alone();
    if (is_last) nytp_pool_end(aTHX);
    if (is_last) nytp_boot_unhook(aTHX);
    if (is_last) nytp_output_hand_over(&g->r, &nytp_glue_nobody.r);
    nytp_state_free(aTHX_ g);
    if (is_last) nytp_thread_share_no_more();
}

/* perl copies its list of exit functions into every clone. Hooks that run while perl destroys the rest find no
 * state. */
static void at_exit(pTHX_ void *unused) {
    dGLUE;
    PERL_UNUSED_VAR(unused);
    if (g->perl != THIS_PERL) return;
    nytp_sampling_finish(g);
    nytp_handlers_leave(&g->r); /* behind the interpreter's own thread, which writes as it ends */
    nytp_watching_end(g);
    if (nytp_pool_put(aTHX_ g)) return;
    nytp_control_finish(aTHX_ g);
    nytp_perl_life_end(aTHX_ g);
}

/* ---- options ---- */

/* perl exits with errno when it dies while loading a module. */
#define EXIT_OF_BAD_OPTION 2

void nytp_perl_life_boot(pTHX) {
    nytp_glue *g = nytp_interp_of(THIS_PERL);
    if (g->perl == THIS_PERL) return;
    if (!(g = nytp_interp_make(THIS_PERL))) croak("NYTProf: out of memory");
    if (nytp_interp_is_alone()) nytp_output_hand_over(&nytp_glue_nobody.r, &g->r);
    Perl_call_atexit(aTHX_ at_exit, NULL);
    g->cop_mask = (1u << 13) - 1;
    g->cops = nytp_stmt_table(g->cop_mask + 1);
    if (!g->cops || nytp_options_init(&g->options)) croak("NYTProf: out of memory");
    my_snprintf(g->interpreter, sizeof g->interpreter, "perl %d.%d.%d", PERL_REVISION, PERL_VERSION, PERL_SUBVERSION);
}

void nytp_perl_life_set_option(pTHX_ nytp_glue *g, const char *name, const char *value) {
    nytp_error e = {0};
    if (g->perl != THIS_PERL) return;
    int saved = errno;
    errno = EXIT_OF_BAD_OPTION;
    if (!*name) croak("NYTProf set_option: invalid option");
    if (!*value) croak("NYTProf set_option: %s has no value", name);
    int known = nytp_options_set(&g->options, name, value, &e);
    errno = known < 0 ? EXIT_OF_BAD_OPTION : saved;
    if (known < 0) croak("NYTProf set_option: %s", e.text);
    if (!known) {
        SV *line = sv_2mortal(newSVpvf("Unknown NYTProf option: '%s'", name));
        nytp_perl_log_say(g, SvPV_nolen(line));
    }
    if (strEQ(name, "log")) nytp_perl_log_check(aTHX_ g);
    if (strEQ(name, "file") && g->opened && nytp_recorder_set_base(&g->r, value)) nytp_recorder_fail(&g->r);
}

/* ---- start ---- */

/* No bit of $^P that the program could notice, but for options. Calls of DB::DB for every statement are requested in
 * two ways, since perl reads $^P only before the program runs. */
static U32 perldb_of(const nytp_options *o) {
    if (o->perldb) return (U32)o->perldb;
    return (o->optimize ? 0u : NO_OPTIMIZER) | (o->use_db_sub ? THROUGH_DB_DB : 0u);
}

static void set_perldb(pTHX_ nytp_glue *g) {
    const nytp_options *o = &g->options;
    U32 bits = (U32)o->perldb;
    PL_perldb = perldb_of(o);
    g->names_evals = o->perldb ? (bits & EVAL_NAMES) != 0 : o->nameevals != 0;
    g->names_anons = o->perldb ? (bits & ANON_NAMES) != 0 : o->nameanonsubs != 0;
    g->keeps_source = o->savesrc && (!o->perldb || bits & (SOURCE | THROUGH_DB_DB));
    if (o->use_db_sub && PL_DBsingle) sv_setiv_mg(PL_DBsingle, 1);
    if (o->endatexit) PL_exit_flags |= PERL_EXIT_DESTRUCT_END;
}

/* Runs among the INIT blocks. With start=end it is put before the END blocks only now, when the program has all of
 * them. */
XS(nytp_life_xs_begin) {
    dXSARGS;
    dGLUE;
    PERL_UNUSED_VAR(items);
    if (g->options.start == NYTP_START_END && PL_phase < PERL_PHASE_END) {
        av_unshift(PL_endav, 1);
        av_store(PL_endav, 0, SvREFCNT_inc((SV *)cv));
    } else {
        nytp_control_begin(aTHX_ g);
    }
    XSRETURN_EMPTY;
}

/* Whether END blocks are run while perl is destroyed: then the end of that comes, too. */
static int is_destructing(pTHX) { return PL_phase == PERL_PHASE_END && PL_exit_flags & PERL_EXIT_DESTRUCT_END; }

/* Puts itself at the end of the list once more, to run after END blocks added by END blocks, and after values that perl
 * frees then (an object in $@), which all belong to the program. Perl's threads have no END blocks, but interpreters of
 * mod_perl, which are threads for us, do. */
XS(nytp_life_xs_end) {
    dXSARGS;
    dGLUE;
    PERL_UNUSED_VAR(items);
    if (PL_phase == PERL_PHASE_END && !g->ending) {
        g->ending = 1;
        av_push(PL_endav, SvREFCNT_inc_simple_NN((SV *)cv));
    } else if (is_destructing(aTHX) || nytp_pool_wants(g)) {
        nytp_control_before_destruct(aTHX_ g);
    } else {
        nytp_control_finish(aTHX_ g);
    }
    XSRETURN_EMPTY;
}

static SV *block(pTHX_ const char *name, XSUBADDR_t function) {
    return SvREFCNT_inc((SV *)nytp_glue_xsub(aTHX_ name, function));
}

/* perl puts every END block it compiles before those it has, so ours, the first, runs last. The functions' names are
 * the ones that clients of Devel::NYTProf know; there is a _CHECK for their sake only: perl -c ends like any other
 * program here. */
static void push_blocks(pTHX_ const nytp_glue *g) {
    const nytp_options *o = &g->options;
    if (!PL_endav) PL_endav = newAV();
    if (!PL_initav) PL_initav = newAV();
    av_push(PL_endav, block(aTHX_ "DB::_END", nytp_life_xs_end));
    nytp_glue_xsub(aTHX_ "DB::_CHECK", nytp_life_xs_end);
    if (g->keeping) nytp_perl_source_when_compiled(aTHX);
    SV *begin = block(aTHX_ "DB::_INIT", nytp_life_xs_begin);
    if (o->start == NYTP_START_INIT || o->start == NYTP_START_END)
        av_push(PL_initav, begin);
    else
        SvREFCNT_dec_NN(begin);
}

static void check_options(pTHX_ const nytp_options *o) {
    if (o->compress >= -1 && o->compress <= 9) return;
    errno = EXIT_OF_BAD_OPTION;
    croak("NYTProf: deflateInit2 failed: compress=%ld is not between -1 and 9", (long)o->compress);
}

static void trace_costs(pTHX_ const nytp_glue *g) {
    const nytp_recorder *r = &g->r;
    nytp_perl_log_trace(aTHX_ g, "pid %ld, clock %s, a statement costs %ld and a call %ld of %lu ticks a second",
                        (long)getpid(), nytp_clock_of(r)->name, (long)nytp_price(r, NYTP_EVENT_STATEMENT),
                        (long)(nytp_price(r, NYTP_EVENT_ENTER) + nytp_price(r, NYTP_EVENT_EXIT)),
                        (unsigned long)nytp_ticks_per_second(r));
}

/* A switch -d in the program's first line has set all bits, and made perl load its debugger once more: that is us. */
void nytp_perl_life_again(pTHX_ const nytp_glue *g) {
    if (g->perl == THIS_PERL && g->opened && PL_perldb == PERLDB_ALL && CopLINE(PL_curcop) <= 1)
        PL_perldb = perldb_of(&g->options) | nytp_perl_source_bits(g);
}

int nytp_perl_life_init(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    if (g->perl != THIS_PERL) return 0;
    if (g->opened) return 1;
    if (g->options.usecputime) {
        warn("NYTProf: the option usecputime was removed; use clock=process_cpu. Nothing is profiled");
        return 1;
    }
    check_options(aTHX_ &g->options);
    if (*g->options.sigtoggle)
        nytp_perl_log_say(g, "NYTProf: option sigtoggle is ignored without Devel::NYTProf::Sample");
    nytp_watching_prepare(aTHX_ &g->options);
    nytp_front front = nytp_perl_life_front(g);
    front.program = nytp_describe_program(aTHX_ g);
    front.at_exit = nytp_process_at_exit;
    nytp_boot_share_clock(g);
    if (nytp_recorder_open(&g->r, &g->options, &front, &e)) croak("NYTProf: %s", e.text);
    g->opened = 1;
    g->home = PL_mainstack;
    g->resume = g->options.stmts && g->options.leave && !g->options.use_db_sub;
    set_perldb(aTHX_ g);
    nytp_body_begin(aTHX_ g);
    nytp_perl_source_begin(aTHX_ g);
    nytp_growth_check(aTHX_ g);
    nytp_boot_hooks(aTHX_ g);
    nytp_perl_calibrate(aTHX_ g);
    trace_costs(aTHX_ g);
    push_blocks(aTHX_ g);
    if (g->options.start == NYTP_START_BEGIN) nytp_control_begin(aTHX_ g);
    return 1;
}
