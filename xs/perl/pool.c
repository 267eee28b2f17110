/* SPDX-License-Identifier: MIT */
/* pool.c - states of threads that have ended, for threads to come. */
#include "perl/pool.h"

#include "perl/stmt.h"
#include "record/handlers.h"
#include "record/output.h"
#include "record/relay.h"

/* Threads of a process with a stream each: more than any program with threads of its own has, and with 2 to 10 kB for
 * each of them a file of a megabyte. In a ring an ended thread needs none, as it is not of the latest part for long. */
#define APART 128

int nytp_pool_is_for(const nytp_glue *from, uint32_t number) {
    return from->options.ring || number > APART || !nytp_output_has_room(&from->r, 1);
}

int nytp_pool_is_full(const nytp_glue *from) { return !nytp_output_has_room(&from->r, 0); }

static void end(pTHX_ nytp_glue *g) {
    nytp_output_close(&g->r);
    nytp_state_free(aTHX_ g);
}

/* Those of a forked child's parent, or of a file that is no longer written to, are of no use. */
nytp_glue *nytp_pool_take(pTHX_ const nytp_glue *from) {
    nytp_glue *g;
    while ((g = nytp_interp_again(THIS_PERL)) && !nytp_relay_fits(&g->r, nytp_output_base(&from->r))) {
        if (!nytp_relay_is_of_this_process(&g->r)) nytp_state_free(aTHX_ g);
        else end(aTHX_ g);
    }
    return g;
}

/* A name for all threads of the stream, or none. */
static void name_threads(nytp_glue *g) {
    if (!g->first.n || nytp_relay_begun_with(&g->r, g->first) == (int64_t)nytp_relay_threads(&g->r)) return;
    g->first.n = 0;
    nytp_output_property(&g->r, NYTP_LIT("start_sub"), g->first);
}

/* All but the recorder and what goes with it. */
static void empty(pTHX_ nytp_glue *g) {
    nytp_str first = g->first;
    nytp_cop *spare = g->spare;
    nytp_state_empty(aTHX_ g);
    g->cops = NULL;
    g->cop_mask = g->cop_n = g->resume = g->adopted_n = 0;
    memset((char *)g + offsetof(nytp_glue, home), 0, sizeof *g - offsetof(nytp_glue, home));
    g->first = first;
    g->spare = spare;
}

int nytp_pool_wants(const nytp_glue *g) { return g->is_thread && nytp_relay_may_rest(&g->r); }

int nytp_pool_put(pTHX_ nytp_glue *g) {
    if (!nytp_pool_wants(g)) return 0;
    int saved = errno;
    g->stack = NULL;
    name_threads(g);
    nytp_relay_rest(&g->r);
    nytp_stmt_leave(g);
    empty(aTHX_ g);
    nytp_handlers_left(&g->r);
    nytp_interp_rest(g);
    errno = saved;
    return 1;
}

void nytp_pool_end(pTHX) {
    nytp_glue *g;
    while ((g = nytp_interp_again(THIS_PERL)))
        if (nytp_relay_is_of_this_process(&g->r)) end(aTHX_ g);
        else nytp_state_free(aTHX_ g);
}
