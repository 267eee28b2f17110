/* SPDX-License-Identifier: MIT */
/* phase.c - callers of Perl code that are no subs: perl while it compiles the program or destroys what is
 * left at its end, a host program, and coroutines. */
#include "perl/glue.h"
#include "perl/growth.h"

#include "record/events.h"
#include "record/nodes.h"
#include "record/subs.h"

/* The caller is a phase, not a sub: a child of the root. */
static nytp_live_node *below_root(nytp_glue *g, nytp_live_sub *phase) {
    return phase ? nytp_nodes_child(&g->r, nytp_root(&g->r), nytp_nowhere(&g->r), phase) : NULL;
}

/* With an address as its key; NULL: it is known by its name. */
static nytp_live_sub *add(nytp_glue *g, const void *address, nytp_str name, uint64_t flags) {
    nytp_subkey key = {address, NULL, NULL, NULL};
    nytp_rec_sub what = {0};
    what.flags = NYTP_SUB_PHASE | flags;
    what.name = name;
    return nytp_subs_add(&g->r, key, &what);
}

static nytp_live_node *phase(nytp_glue *g, const void *address, nytp_str name) {
    const nytp_subkey key = {address, NULL, NULL, NULL};
    nytp_live_sub *sub = nytp_subs_find(&g->r, key);
    return below_root(g, sub ? sub : add(g, address, name, 0));
}

/* BEGIN blocks of the main program are called by the phase that compiles it, under Devel::NYTProf's name. */
nytp_live_node *nytp_phase_of_begin(pTHX_ nytp_glue *g) {
    int in_main = nytp_is_at_root(&g->r) && PL_phase == PERL_PHASE_START;
    return in_main ? phase(g, &PL_compiling, NYTP_LIT("main::NULL")) : nytp_current_node(&g->r);
}

/* 1 if a host program calls Perl code or evaluates a string, in require_pv on a stack of its own: perl runs no code but
 * the eval of G_EVAL, and does not compile. innermost is the current stack's context without those that the call itself
 * has pushed. */
static int is_from_outside(pTHX_ I32 innermost) {
    const PERL_SI *si = PL_curstackinfo;
    if (PL_curcop != &PL_compiling || PL_parser) return 0;
    if (innermost == 0 && PL_phase >= PERL_PHASE_RUN && CxTYPE(&cxstack[0]) == CXt_EVAL) innermost--;
    for (; innermost < 0 && si->si_type == PERLSI_REQUIRE; innermost = si->si_cxix) si = si->si_prev;
    return innermost < 0 && si->si_type == PERLSI_MAIN;
}

/* Before the program runs perl itself calls CHECK and INIT this way, and at its end the END blocks. */
static int is_from_host(pTHX_ const nytp_glue *g, I32 innermost) {
    return nytp_is_at_root(&g->r) && is_from_outside(aTHX_ innermost) && PL_phase <= PERL_PHASE_RUN;
}

#define HOST(g) ((const void *)(g)) /* its address as a phase */

static nytp_live_sub *known_host(const nytp_glue *g) {
    const nytp_subkey key = {HOST(g), NULL, NULL, NULL};
    return nytp_subs_find(&g->r, key);
}

/* The time since the last event is the phase's, and charged to no place. to is NULL when memory is short. */
static void go_to_phase(nytp_glue *g, nytp_live_node *to) {
    if (!to) return;
    nytp_replace_place(&g->r, nytp_nowhere(&g->r));
    nytp_touch_place(&g->r, nytp_nowhere(&g->r));
    nytp_replace_node(&g->r, to);
    nytp_touch_node(&g->r, to);
}

/* The last event was the end of the main program or of the call before. */
static void go_to_host(nytp_glue *g) { go_to_phase(g, phase(g, HOST(g), NYTP_LIT("(host)"))); }

void nytp_phase_enter_host(pTHX_ nytp_glue *g, I32 innermost) {
    if (is_from_host(aTHX_ g, innermost)) go_to_host(g);
}

/* What an eval's code does itself is the main program's, unlike subs that the host calls. */
void nytp_phase_before_eval(pTHX_ nytp_glue *g) {
    nytp_recorder *r = &g->r;
    if (!is_from_outside(aTHX_ cxstack_ix) || PL_phase > PERL_PHASE_RUN) return;
    if (!nytp_is_at_root(r) && nytp_current_node(r)->sub != known_host(g)) return;
    go_to_host(g);
    nytp_go_to_node(r, nytp_root(r), nytp_now(r));
    nytp_touch_node(r, nytp_root(r));
}

/* A host that waits, for its children for instance, does so until the END blocks are called. */
void nytp_phase_end_host(pTHX_ nytp_glue *g, I32 innermost) {
    if (nytp_is_at_root(&g->r) && is_from_outside(aTHX_ innermost) && known_host(g)) go_to_host(g);
}

void nytp_phase_destruct(nytp_glue *g) {
    if (!nytp_current_frame(&g->r)) go_to_phase(g, phase(g, &g->is_destructed, NYTP_LIT("main::DESTRUCT")));
}

/* ---- coroutines ---- */

#define MOST_KINDS 100   /* of coroutines, with a name of their own: a server may name each after its client */
#define LONGEST_KIND 200 /* bytes */

static const SV *object_in(pTHX_ const char *variable) {
    const SV *sv = get_sv(variable, 0);
    return sv && SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_PVHV ? SvRV(sv) : NULL;
}

/* What the program calls the running coroutine: the member "desc" of $Coro::current. A coroutine of Coro::State runs
 * while that is another one, the main program. NULL: it has no name. */
static const SV *description(pTHX) {
    const SV *current = object_in(aTHX_ "Coro::current");
    if (!current || current == object_in(aTHX_ "Coro::main")) return NULL;
    if (SvRMAGICAL(current) && mg_find(current, PERL_MAGIC_tied)) return NULL;
    SV **desc = hv_fetchs((HV *)(uintptr_t)current, "desc", 0);
    return desc && SvPOK(*desc) && SvCUR(*desc) && SvCUR(*desc) <= LONGEST_KIND ? *desc : NULL;
}

/* A kind of coroutines is known by its name. */
static nytp_live_sub *kind_named(pTHX_ nytp_glue *g, const SV *desc) {
    char text[LONGEST_KIND + sizeof "(coroutine )"];
    if (!desc) return NULL;
    int n = my_snprintf(text, sizeof text, "(coroutine %.*s)", (int)SvCUR(desc), SvPVX_const(desc));
    nytp_str name = {text, (size_t)n};
    nytp_live_sub *known = nytp_subs_named(&g->r, name);
    if (known) return known->flags & NYTP_SUB_PHASE ? known : NULL;
    if (g->kinds == MOST_KINDS) return NULL;
    g->kinds++;
    return add(g, NULL, name, SvUTF8(desc) ? NYTP_SUB_UTF8 : 0);
}

nytp_live_node *nytp_phase_of_coroutine(pTHX_ nytp_glue *g) {
    nytp_growth_work cold = nytp_growth_cold_begin(g);
    nytp_live_sub *kind = kind_named(aTHX_ g, description(aTHX));
    nytp_live_node *n = kind ? below_root(g, kind) : phase(g, &g->kinds, NYTP_LIT("(coroutine)"));
    nytp_growth_cold_end(g, cold);
    return n ? n : nytp_root(&g->r);
}
