/* SPDX-License-Identifier: MIT */
/* here.c - decides whether an event is recorded: by interpreter, on or off, and coroutine. */
#include "perl/glue.h"

#include "record/handlers.h"
#include "record/output.h"

#ifdef PERL_IMPLICIT_CONTEXT
_Thread_local __attribute__((tls_model("initial-exec"))) nytp_glue *nytp_perl_here_state = &nytp_glue_nobody;
#else
nytp_glue nytp_perl_here_only;
#endif

/* ---- coroutines ---- */

static nytp_suspended *suspended_on(nytp_glue *g, const AV *stack) {
    for (U32 i = 0; i < g->suspended_n; i++)
        if (g->suspended[i].stack == stack) return g->suspended + i;
    return NULL;
}

static void suspend(nytp_glue *g) {
    nytp_suspended *s = suspended_on(g, g->stack);
    if (!s) {
        nytp_suspended *grown = (nytp_suspended *)realloc(g->suspended, (g->suspended_n + 1) * sizeof *grown);
        if (!grown) return;
        g->suspended = grown;
        s = grown + g->suspended_n++;
    }
    nytp_position at = nytp_position_of(&g->r);
    if (nytp_coro_switches(&at)) at.native = at.frame->native = NYTP_NATIVE_ELSEWHERE;
    *s = (nytp_suspended){g->stack, at};
}

/* A coroutine has taken over (Coro replaces the main stack). The time since the last event is charged to the one left;
 * the new one goes on where it stopped, or starts at the root. */
static void switch_stack(pTHX_ nytp_glue *g) {
    nytp_recorder *r = &g->r;
    int64_t now = nytp_now(r);
    suspend(g);
    g->stack = PL_mainstack;
    const nytp_suspended *s = suspended_on(g, PL_mainstack);
    nytp_go_to_position(r, s ? &s->at : NULL, now);
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
