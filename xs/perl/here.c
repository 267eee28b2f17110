/* SPDX-License-Identifier: MIT */
/* here.c - decides whether an event is recorded: by interpreter, on or off, and coroutine. */
#include "perl/growth.h"

#include "base/grow.h"
#include "record/handlers.h"
#include "record/latency.h"
#include "record/output.h"

#ifdef PERL_IMPLICIT_CONTEXT
_Thread_local __attribute__((tls_model("initial-exec"))) nytp_glue *nytp_perl_here_state = &nytp_glue_nobody;
#else
nytp_glue nytp_perl_here_only;
#endif

/* ---- coroutines ---- */

static nytp_position *suspended_on(nytp_glue *g, const AV *stack) {
    uint32_t number = nytp_map_get(&g->suspended_on, (uintptr_t)stack);
    return number ? g->suspended + number - 1 : NULL;
}

/* The position of the one left; NULL when memory is short. */
static nytp_position *suspend(nytp_glue *g) {
    nytp_position *at = suspended_on(g, g->stack);
    if (!at) {
        uint32_t *number = nytp_map_at(&g->suspended_on, (uintptr_t)g->stack);
        at = number ? nytp_grow_owned(&g->suspended, g->suspended_n, &g->suspended_room, sizeof *at) : NULL;
        if (!at) return NULL;
        *number = ++g->suspended_n;
    }
    *at = nytp_position_of(&g->r);
    if (nytp_coro_switches(at)) at->native = at->frame->native = NYTP_NATIVE_ELSEWHERE;
    return at;
}

/* A coroutine has taken over (Coro replaces the main stack). The time since the last event is charged to the one left;
 * the new one goes on where it stopped, or starts below its kind; so does one on the stack of a coroutine that has
 * ended, without a frame. */
static void switch_stack(pTHX_ nytp_glue *g) {
    nytp_recorder *r = &g->r;
    nytp_position *left = suspend(g);
    g->stack = PL_mainstack;
    const nytp_position *known = suspended_on(g, PL_mainstack);
    nytp_position at = known ? *known : (nytp_position){NULL, nytp_root(r), nytp_nowhere(r), NYTP_NATIVE_NONE, 0};
    if (!at.frame && PL_mainstack != g->home) {
        at.node = nytp_phase_of_coroutine(aTHX_ g);
        at.place = nytp_nowhere(r);
    }
    int64_t now = nytp_now(r);
    if (left) left->time = nytp_latency_time(r, now);
    nytp_go_to_position(r, &at, now);
    nytp_latency_set_time(r, at.time, now);
    nytp_growth_go_on(aTHX_ g); /* it has temporary values of its own */
}

/* ---- interpreters ---- */

static int goes_on(pTHX_ nytp_glue *g) {
    if (g->waits && !nytp_thread_wakes(g)) return 0;
    if (nytp_is_on(&g->r)) return 1;
    if (g->begins_later) return nytp_thread_begin(aTHX_ g);
    return g->rests && nytp_thread_resume(aTHX_ g);
}

nytp_glue *nytp_perl_here_arrive(pTHX) {
    dGLUE;
    if (g->perl != THIS_PERL) return NULL;
    nytp_handlers_arrive(&g->r);
    if (!goes_on(aTHX_ g)) return NULL;
    if (NYTP_UNLIKELY(g->maker != NULL)) nytp_thread_arrives(g);
    if (g->stack != PL_mainstack) switch_stack(aTHX_ g);
    return g;
}
