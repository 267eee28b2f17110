/* SPDX-License-Identifier: MIT */
/* example.c - C functions of Devel::NYTProf::Test: subs for profiles in tests. */
#include "perl/glue.h"

#include <time.h>

/* The frame of this call is on the C stack while Perl code runs, as tests of such calls need. */
void nytp_example_xsub(pTHX_ SV *action, SV *argument) {
    if (!SvOK(action)) return;
    if (SvROK(action) && SvTYPE(SvRV(action)) == SVt_PVCV) {
        dSP;
        PUSHMARK(SP);
        call_sv(action, G_VOID | G_DISCARD);
    } else if (strEQ(SvPV_nolen(action), "eval")) {
        eval_sv(argument, G_VOID | G_DISCARD);
    } else if (strEQ(SvPV_nolen(action), "die")) {
        croak("example_xsub(die)");
    } else {
        croak("example_xsub: no action '%" SVf "'", SVfARG(action));
    }
}

int64_t nytp_example_sleep(pTHX_ nytp_glue *g, nytp_clock *clock, UV microseconds) {
    struct timespec pause = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
    nytp_error e = {0};
    int fell_back;
    if (nytp_clock_open(clock, nytp_str_c(g->options.clock), &fell_back, &e)) croak("%s", e.text);
    int64_t start = nytp_clock_now(clock);
    while (nanosleep(&pause, &pause) && errno == EINTR) continue;
    return nytp_clock_now(clock) - start;
}
