/* SPDX-License-Identifier: MIT */
/* glue.c - decides whether an event is recorded: by interpreter, on or off, and coroutine. */
#include "perl/glue.h"

Perl_ppaddr_t nytp_glue_perl[MAXO];
Perl_check_t nytp_glue_perls_check[MAXO];
const nytp_cop nytp_glue_no_cop = {NULL, NULL, 0};

#ifdef PERL_IMPLICIT_CONTEXT
int nytp_glue_index = -1;
nytp_glue *nytp_glue_owned;
#else
nytp_glue nytp_glue_only;
#endif
const AV *nytp_glue_stack;
const void *nytp_glue_owner;
nytp_glue nytp_glue_nobody;

static nytp_suspended *suspended_on(nytp_glue *g, const AV *stack) {
    for (U32 i = 0; i < g->suspended_n; i++)
        if (g->suspended[i].stack == stack) return g->suspended + i;
    return NULL;
}

static void suspend(nytp_glue *g) {
    nytp_suspended *s = suspended_on(g, nytp_glue_stack);
    if (!s) {
        nytp_suspended *grown = (nytp_suspended *)realloc(g->suspended, (g->suspended_n + 1) * sizeof *grown);
        if (!grown) return;
        g->suspended = grown;
        s = grown + g->suspended_n++;
    }
    *s = (nytp_suspended){nytp_glue_stack, nytp_position_of(&g->r)};
}

/* A coroutine has taken over (Coro replaces the main stack). The time since the last event is charged to the one left;
 * the new one goes on where it stopped, or starts at the root. */
static void switch_stack(pTHX_ nytp_glue *g) {
    nytp_recorder *r = &g->r;
    int64_t now = nytp_now(r);
    suspend(g);
    nytp_glue_stack = PL_mainstack;
    const nytp_suspended *s = suspended_on(g, nytp_glue_stack);
    nytp_go_to_position(r, s ? &s->at : NULL, now);
}

int nytp_glue_ready(pTHX) {
    dGLUE;
    if (g->perl != THIS_PERL || !nytp_is_on(&g->r)) return 0;
    if (nytp_glue_stack != PL_mainstack) switch_stack(aTHX_ g);
    return 1;
}

CV *nytp_glue_xsub(pTHX_ const char *name, XSUBADDR_t function) {
    CV *cv = newXS(name, function, __FILE__);
    CvXSUBANY(cv).any_ptr = (void *)(uintptr_t)&nytp_glue_no_cop;
    return cv;
}
