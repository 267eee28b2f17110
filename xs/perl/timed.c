/* SPDX-License-Identifier: MIT */
/* timed.c - marks, counts and spans, as the program calls for them. A span is an object whose end is its own: it has
 * the bytes of an nytp_begun, which are overwritten when the span ends. */
#include "perl/sampling.h"

#include "record/spans.h"

#define CLASS "DB::Span"

/* NULL: nothing is recorded now. */
static nytp_recorder *recorder_of(pTHX_ nytp_glue *g) {
    if (g->perl != THIS_PERL) return NULL;
    if (g->samples) return nytp_sampling_recorder(g);
    return nytp_is_on(&g->r) ? &g->r : NULL;
}

/* Calls no code of the program and warns of nothing: without the profiler the name is not looked at. An object or
 * another reference is known by its class or type. */
static nytp_str name_of(pTHX_ SV *name) {
    nytp_str s = NYTP_LIT("");
    SvGETMAGIC(name);
    if (SvROK(name)) return nytp_str_c(sv_reftype(SvRV(name), TRUE));
    if (SvOK(name)) s.p = SvPV_nomg(name, s.n);
    return s;
}

/* A window that ends with the mark is written by hooks only: a program that is sampled does not wait for one. */
void nytp_timed_mark(pTHX_ nytp_glue *g, SV *name) {
    int saved = errno;
    nytp_recorder *r = recorder_of(aTHX_ g);
    nytp_str text = r ? name_of(aTHX_ name) : NYTP_LIT("");
    int64_t now = r ? nytp_now(r) : 0;
    if (r && nytp_spans_mark(r, text, now) && r == &g->r) nytp_flush(r, now);
    errno = saved;
}

void nytp_timed_count(pTHX_ nytp_glue *g, SV *name, SV *n) {
    int saved = errno;
    nytp_recorder *r = recorder_of(aTHX_ g);
    int64_t by = 1;
    if (n && r) SvGETMAGIC(n);
    if (n) by = !SvROK(n) && looks_like_number(n) ? (int64_t)SvIV_nomg(n) : 0;
    if (r) nytp_spans_count(r, name_of(aTHX_ name), by);
    errno = saved;
}

SV *nytp_timed_span(pTHX_ nytp_glue *g, SV *name) {
    int saved = errno;
    nytp_recorder *r = recorder_of(aTHX_ g);
    SV *object = newSV(0), *ref = newRV_noinc(object);
    nytp_begun span = {0};
    if (r) span = nytp_spans_begin(r, name_of(aTHX_ name));
    sv_setpvn(object, (const char *)&span, sizeof span);
    sv_bless(ref, gv_stashpvs(CLASS, GV_ADD));
    errno = saved;
    return ref;
}

void nytp_timed_end(pTHX_ nytp_glue *g, SV *ref) {
    int saved = errno;
    nytp_recorder *r = recorder_of(aTHX_ g);
    SV *object = SvROK(ref) ? SvRV(ref) : NULL;
    nytp_begun span;
    if (!object || !SvPOK(object) || SvCUR(object) != sizeof span) return;
    memcpy(&span, SvPVX(object), sizeof span);
    if (r && span.era) nytp_spans_end(r, span);
    SvCUR_set(object, 0);
    errno = saved;
}
