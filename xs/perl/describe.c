/* SPDX-License-Identifier: MIT */
/* describe.c - what a capture says of perl and the program at its beginning. */
#include "perl/describe.h"
#include "perl/watching.h"

static nytp_str str_of(pTHX_ SV *sv) {
    STRLEN n;
    const char *p = sv ? SvPV_const(sv, n) : "";
    if (!sv) n = 0;
    return (nytp_str){p, n};
}

static void attribute(nytp_writer *w, const char *key, long long value) {
    char text[32];
    my_snprintf(text, sizeof text, "%lld", value);
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, nytp_str_c(key), nytp_str_c(text));
}

static void put_inc(pTHX_ nytp_writer *w) {
    AV *inc = GvAV(PL_incgv);
    if (!inc || SvRMAGICAL(inc)) return; /* tied: reading it would run Perl code */
    for (SSize_t i = 0; i <= av_len(inc); i++) {
        SV **sv = av_fetch(inc, i, 0);
        if (sv && SvPOK(*sv)) nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("inc"), str_of(aTHX_ *sv));
    }
}

/* The value of $^P that a capture reports: bits for features that we implement ourselves count as set. */
static U32 said_perldb(pTHX_ const nytp_glue *g) {
    if (g->options.perldb) return PL_perldb;
    return (PL_perldb & ~(U32)SOURCE) | SUB_LINES | (g->names_evals ? EVAL_NAMES : 0u) |
           (g->names_anons ? ANON_NAMES : 0u) | (g->keeps_source ? SOURCE | EVAL_SOURCE : 0u);
}

nytp_str nytp_describe_program(pTHX_ const nytp_glue *g) {
    if (g->options.redact & NYTP_REDACT_COMMANDS) return nytp_str_c(PL_origfilename);
    return str_of(aTHX_ get_sv("0", 0));
}

static void attributes(pTHX_ const nytp_glue *g, nytp_writer *w) {
    SV *version = get_sv("Devel::NYTProf::Core::VERSION", 0);
    attribute(w, "basetime", (long long)PL_basetime);
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("application"), nytp_describe_program(aTHX_ g));
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("perl_version"), nytp_str_c(g->interpreter + sizeof "perl"));
    attribute(w, "nv_size", (long long)sizeof(NV));
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("xs_version"), str_of(aTHX_ version));
    attribute(w, "PL_perldb", (long long)said_perldb(aTHX_ g));
}

void nytp_describe_clock(const nytp_recorder *r, nytp_writer *w) {
    attribute(w, "clock_id", nytp_clock_of(r)->id);
    attribute(w, "ticks_per_sec", (long long)nytp_ticks_per_second(r));
}

void nytp_describe_perl(pTHX_ const nytp_glue *g, nytp_writer *w) {
    attributes(aTHX_ g, w);
    put_inc(aTHX_ w);
}

void nytp_describe(void *self, nytp_writer *w) {
    nytp_glue *g = (nytp_glue *)self;
    dTHXa(g->perl);
    attributes(aTHX_ g, w);
    nytp_describe_clock(&g->r, w);
    put_inc(aTHX_ w);
    nytp_watching_describe(g, w);
    if (g->first.n) nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("start_sub"), g->first);
}

int nytp_describe_is_for_all(void) {
    const char *options = getenv("PERL5OPT"), *debugger = getenv("PERL5DB");
    return options && (strstr(options, "NYTProf") || (debugger && strstr(debugger, "NYTProf")));
}
