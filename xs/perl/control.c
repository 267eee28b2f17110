/* SPDX-License-Identifier: MIT */
/* control.c - profiling on and off, and from one file to the next: which file counts what. */
#include "perl/growth.h"
#include "perl/sampling.h"
#include "perl/waiting.h"
#include "perl/watching.h"

#include "record/flush.h"
#include "record/output.h"
#include "record/session.h"

/* Bytes set aside, and not touched, for the end of a program that runs out of memory. */
#define RESERVE (4u << 20)

/* Uncalled subs; a child or a thread that compiled nothing of its own leaves them to its parent. At the end of perl
 * they are written. */
int nytp_control_complete(void *self, int is_brief) {
    nytp_glue *g = (nytp_glue *)self;
    dTHXa(g->perl);
    int is_told = g->body_n == g->body_n_told || g->is_taken;
    if (is_told && (is_brief || g->is_destructed)) return 1;
    if (is_told && (g->is_thread || g->is_taken)) return 0;
    nytp_perl_name_uncalled(aTHX_ g);
    return 0;
}

static void close_file(pTHX_ nytp_glue *g) {
    nytp_session_finish(&g->r);
    nytp_perl_log_trace(aTHX_ g, "finished '%s'", nytp_output_name(&g->r));
}

static int is_adopted(const nytp_glue *g, const nytp_live_frame *f) {
    for (U32 i = 0; i < g->adopted_n; i++)
        if (g->adopted[i].frame == f) return 1;
    return 0;
}

/* A call belongs to the file in which it ends: those that are running when a file is closed, the one of the function
 * that closes it among them, are taken back from it and given to the next. */
static void count_running_calls(nytp_glue *g, int by) {
    nytp_recorder *r = &g->r;
    nytp_live_node *n = nytp_current_node(r);
    for (const nytp_live_frame *f = nytp_current_frame(r); f; n = f->node, f = f->below) {
        if (is_adopted(g, f)) continue;
        n->calls += by;
        nytp_touch_node(r, n);
    }
}

/* The statement that switches off, or to another file, has not ended: its count is taken back, and given again when
 * profiling goes on. */
static void take_back_statement(nytp_glue *g) {
    nytp_live_place *p = nytp_current_place(&g->r);
    if (!g->options.stmts || !p->id) return;
    nytp_recount(&g->r, p, -1);
    g->uncounted = p;
}

static void give_back_statement(nytp_glue *g) {
    if (!g->uncounted) return;
    nytp_recount(&g->r, g->uncounted, 1);
    g->uncounted = NULL;
}

/* Opens another file, after the summary of the current one. NYTP_OK or NYTP_NOMEM. */
static int change_file(pTHX_ nytp_glue *g, const char *file, nytp_error *e) {
    int was_on = nytp_is_on(&g->r);
    if (nytp_has_output(&g->r)) {
        nytp_recorder_off(&g->r);
        if (was_on) take_back_statement(g);
        count_running_calls(g, -1);
        close_file(aTHX_ g);
        count_running_calls(g, 1);
    }
    return nytp_recorder_set_base(&g->r, file) ? nytp_error_set(e, NYTP_NOMEM, "out of memory") : NYTP_OK;
}

/* A program profiled by itself dies. Where all programs of a job are profiled, the program goes on without a profile:
 * an earlier profile may have filled the disk, or another user may have started it. */
static void fail_to_open(pTHX_ nytp_glue *g, const nytp_error *e) {
    if (!g->is_thread && (!nytp_front_of(&g->r)->shares_name || e->code != NYTP_IO)) {
        errno = (int)e->sys; /* the exit status of a program that dies of it */
        croak("NYTProf failed to open '%s' for writing, error %d: %s", nytp_output_base(&g->r), (int)e->sys, e->text);
    }
    SV *line = sv_2mortal(
        newSVpvf("NYTProf: %s: %s; %s %ld is not profiled", nytp_output_base(&g->r), e->text,
                 g->is_thread ? "a thread of pid" : "pid", (long)getpid()));
    nytp_perl_log_say(g, SvPV_nolen(line));
    nytp_give_up(&g->r);
}

/* A new file starts with the calls known so far. */
static void switch_on(pTHX_ nytp_glue *g, nytp_error *e) {
    int was_open = nytp_has_output(&g->r);
    g->stack = NULL;
    nytp_interp_lock(); /* other threads may open the same file */
    if (!e->code) nytp_recorder_on(&g->r, e);
    nytp_interp_unlock();
    if (e->code) {
        fail_to_open(aTHX_ g, e);
        return;
    }
    if (!was_open) nytp_flush_carried_over(&g->r);
    if (!g->reserve && !g->is_thread) g->reserve = malloc(RESERVE);
    g->stack = PL_mainstack;
    if (g->options.subs) nytp_adopt_running(aTHX_ g);
    nytp_watching_begin(aTHX_ g);
    nytp_waiting_begin(g);
    nytp_growth_begin(aTHX_ g);
    nytp_perl_log_trace(aTHX_ g, "on, writing '%s'", nytp_output_name(&g->r));
}

/* The statement that switches on becomes the current one, and is counted. */
static void count_statement(pTHX_ nytp_glue *g) {
    nytp_recorder *r = &g->r;
    give_back_statement(g);
    if (!g->options.stmts || PL_curcop == &PL_compiling) return;
    nytp_replace_place(r, nytp_place_of(aTHX_ g, PL_curcop, cxstack_ix));
    nytp_recount(r, nytp_current_place(r), 1);
}

int nytp_control_enable(pTHX_ nytp_glue *g, const char *file) {
    nytp_error e = {0};
    int saved = errno, was_on = nytp_is_on(&g->r);
    if (g->samples && g->perl == THIS_PERL) return nytp_sampling_enable(aTHX_ g, file);
    if (!g->opened || nytp_is_dead(&g->r) || g->perl != THIS_PERL) return 0;
    nytp_recorder_moved(&g->r);
    if (file && strNE(file, nytp_output_base(&g->r))) change_file(aTHX_ g, file, &e);
    if (!nytp_is_on(&g->r)) switch_on(aTHX_ g, &e);
    if (was_on)
        give_back_statement(g);
    else if (nytp_is_on(&g->r))
        count_statement(aTHX_ g);
    errno = saved;
    return was_on;
}

void nytp_control_begin(pTHX_ nytp_glue *g) {
    nytp_error e = {0};
    if (g->opened && !nytp_is_on(&g->r) && !nytp_is_dead(&g->r)) switch_on(aTHX_ g, &e);
}

int nytp_control_disable(pTHX_ nytp_glue *g) {
    if (g->samples && g->perl == THIS_PERL) return nytp_sampling_disable(g);
    if (!nytp_is_on(&g->r) || g->perl != THIS_PERL) return 0;
    nytp_recorder_off_by_call(&g->r);
    g->stack = NULL;
    take_back_statement(g);
    nytp_watching_end(g);
    nytp_flush_while_off(&g->r);
    nytp_perl_log_trace(aTHX_ g, "off");
    return 1;
}

static void release_reserve(nytp_glue *g) {
    free(g->reserve);
    g->reserve = NULL;
}

void nytp_control_before_destruct(pTHX_ nytp_glue *g) {
    int saved = errno;
    if (!nytp_has_output(&g->r) || g->perl != THIS_PERL) return;
    release_reserve(g);
    nytp_session_before_end(&g->r);
    g->body_n_told = g->body_n;
    g->is_destructed = 1;
    nytp_phase_destruct(g);
    errno = saved;
}

void nytp_control_finish(pTHX_ nytp_glue *g) {
    int saved = errno;
    if (!nytp_has_output(&g->r) || g->perl != THIS_PERL) return;
    release_reserve(g);
    g->stack = NULL;
    nytp_watching_end(g);
    close_file(aTHX_ g);
    nytp_recorder_reset(&g->r);
    errno = saved;
}

void nytp_control_close(pTHX_ nytp_glue *g) {
    if (g->perl == THIS_PERL) nytp_sampling_finish(g);
    if (!nytp_has_output(&g->r) || g->perl != THIS_PERL) return;
    nytp_control_disable(aTHX_ g);
    count_running_calls(g, -1);
    nytp_control_finish(aTHX_ g);
    count_running_calls(g, 1);
}

/* Running calls return into a child's profile, too. */
void nytp_control_forked(void *self) {
    nytp_glue *g = (nytp_glue *)self;
    g->body_n_told = g->body_n;
    count_running_calls(g, 1);
    nytp_watching_forked(g);
    nytp_waiting_begin(g);
}

void nytp_control_stopped(void *self) { ((nytp_glue *)self)->stack = NULL; }
