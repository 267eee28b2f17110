/* SPDX-License-Identifier: MIT */
/* clone.c - a clone of an interpreter, as a thread is, gets a state like that of the original, and a recorder. */
#include "perl/pool.h"
#include "perl/sampling.h"

#include <stdlib.h>

#include "record/output.h"
#include "record/relay.h"

#define FEW_STATEMENTS 1024 /* places in the table at first; most threads run a small part of the program */

static void copy_settings(nytp_glue *g, const nytp_glue *from) {
    g->is_thread = 1;
    g->shares_code = 1;
    g->resume = from->resume;
    g->names_evals = from->names_evals;
    g->names_anons = from->names_anons;
    g->keeps_source = from->keeps_source;
    memcpy(g->interpreter, from->interpreter, sizeof g->interpreter);
}

static void copy_prices(nytp_glue *g, nytp_glue *from) {
    memcpy(nytp_front_prices(&g->r), nytp_front_prices(&from->r), NYTP_EVENTS * sizeof(nytp_rec_price));
}

/* Its stream has the number that threads.pm gives the thread, if all clones are threads. */
static int open_recorder(nytp_glue *g, nytp_glue *from, uint32_t number) {
    nytp_error e = {0};
    nytp_front front = nytp_perl_life_front(g);
    front.program = nytp_front_of(&from->r)->program;
    front.shares_name = nytp_front_of(&from->r)->shares_name;
    front.at_exit = nytp_process_at_exit;
    front.outlet = nytp_thread_outlet();
    nytp_share_clock(&g->r, nytp_clock_of(&from->r));
    copy_prices(g, from);
    if (nytp_recorder_open(&g->r, &g->options, &front, &e)) return 0;
    nytp_output_be_thread(&g->r, &from->r);
    nytp_output_number(&g->r, number);
    return !nytp_recorder_set_base(&g->r, nytp_output_base(&from->r));
}

static int fill(nytp_glue *g, nytp_glue *from) {
    g->cop_mask = FEW_STATEMENTS - 1;
    g->cops = nytp_stmt_table(FEW_STATEMENTS);
    return g->cops && nytp_inherit_code(g, from);
}

static nytp_glue *make_new(pTHX_ nytp_glue *from, uint32_t number, int is_for_pool) {
    nytp_glue *g = nytp_interp_make(THIS_PERL);
    if (!g) return NULL;
    copy_settings(g, from);
    if (nytp_options_copy(&g->options, &from->options) || !open_recorder(g, from, number) || !fill(g, from)) {
        nytp_perl_life_end(aTHX_ g);
        return NULL;
    }
    if (is_for_pool) nytp_relay_be(&g->r);
    return g;
}

static nytp_glue *make_again(pTHX_ nytp_glue *from) {
    nytp_glue *g = nytp_pool_take(aTHX_ from);
    if (!g) return NULL;
    copy_settings(g, from);
    copy_prices(g, from);
    if (!fill(g, from)) {
        nytp_output_close(&g->r);
        nytp_perl_life_end(aTHX_ g);
        return NULL;
    }
    nytp_inherit_files(g);
    return g;
}

static nytp_glue *make(pTHX_ nytp_glue *from) {
    uint32_t number = nytp_interp_count_clone();
    int is_for_pool = nytp_pool_is_for(from, number);
    nytp_glue *g = is_for_pool ? make_again(aTHX_ from) : NULL;
    if (!g && is_for_pool && nytp_pool_is_full(from)) return NULL;
    if (!g) g = make_new(aTHX_ from, number, is_for_pool);
    if (!g) return NULL;
    g->opened = 1;
    g->home = PL_mainstack;
    g->begins_later = nytp_is_on(&from->r);
    g->maker = &nytp_perl_here_state;
    nytp_boot_clone(aTHX);
    return g;
}

/* A sampled clone needs a state for its options only. */
static nytp_glue *make_sampled(pTHX_ nytp_glue *from) {
    uint32_t number = nytp_interp_count_clone();
    nytp_glue *g = nytp_interp_make(THIS_PERL);
    if (!g) return NULL;
    copy_settings(g, from);
    if (nytp_options_copy(&g->options, &from->options)) nytp_perl_life_end(aTHX_ g);
    else nytp_sampling_clone(aTHX_ g, from, number, nytp_thread_outlet());
    return g->perl == THIS_PERL ? g : NULL;
}

/* The original's events have all been in this system thread, or cannot be at this time. */
nytp_glue *nytp_clone_made(pTHX_ nytp_glue *from) {
    if (from && from->samples && from->perl && from->perl != THIS_PERL) return make_sampled(aTHX_ from);
    if (!from || from->perl == NULL || !from->opened || nytp_is_dead(&from->r)) return NULL;
    if (from->perl == THIS_PERL) return from; /* called by the program */
    int saved = errno;
    from->shares_code = 1;
    nytp_thread_share(from);
    nytp_glue *g = make(aTHX_ from);
    if (!g) nytp_output_notice(&from->r, NYTP_NOTICE_THREADS);
    errno = saved;
    return g;
}
