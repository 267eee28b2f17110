/* SPDX-License-Identifier: MIT */
/* gaps.c - writes to the profiler's log what a readable profile lacks. The lines are no perl warnings, and option
 * quiet does not silence them. */
#include "perldata/perldata.h"

#include "base/utf8.h"

#define LONGEST 1000 /* bytes of a line; file names may be longer */
#define MOST 1.1     /* limit of statement time by profiled time, which rounding may exceed a little */

/* The log is known to the front end only, and reached through its Perl function. */
static void say(pTHX_ const char *format, ...) {
    char line[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    nytp_utf8_mask(line); /* names in captures may contain any byte */
    dSP;
    ENTER;
    SAVETMPS;
    PUSHMARK(SP);
    mXPUSHp(line, strlen(line));
    PUTBACK;
    call_pv("Devel::NYTProf::Core::_log", G_VOID | G_DISCARD);
    FREETMPS;
    LEAVE;
}

static void say_unfinished(pTHX_ const nytp_profile *p) {
    U32 unfinished = 0;
    for (U32 i = 0; i < p->processes_n; i++) unfinished += !nytp_profile_has_ended(&p->processes[i]);
    if (unfinished) say(aTHX_ "Profile data incomplete, no terminator for %u pids", (unsigned)unfinished);
}

static int has(nytp_str s, nytp_str part) { return ninstr(s.p, s.p + s.n, part.p, part.p + part.n) != NULL; }

/* Not for evals, which often define the same sub again. */
static void say_defined_again(pTHX_ const nytp_profile *p) {
    for (U32 i = 0; i < p->again_n; i++) {
        nytp_str name = p->subs[p->again[i].sub].name;
        if (has(name, NYTP_LIT("__ANON__[(eval"))) continue;
        say(aTHX_ "Sub %.*s is defined in more than one file", (int)name.n, name.p);
    }
}

static void say_too_much(pTHX_ const nytp_profile *p) {
    NV whole = nytp_profile_seconds(p, p->totals.elapsed), statements = nytp_profile_seconds(p, p->totals.ticks);
    if (whole <= 0 || statements <= MOST * whole) return;
    say(aTHX_ "The times of statements add up to %.1f%% of the time that was profiled", statements / whole * 100);
}

void nytp_gaps_log(pTHX_ const nytp_profile *p) {
    if (nytp_data_is_v5(p) && p->inputs[0].minor > NYTP_V5_MINOR)
        say(aTHX_ "%s: format %d.%d is newer than the %d.%d expected", p->inputs[0].name.p, NYTP_V5_MAJOR,
            (int)p->inputs[0].minor, NYTP_V5_MAJOR, NYTP_V5_MINOR);
    say_unfinished(aTHX_ p);
    for (U32 i = 0; i < p->notes_n; i++) say(aTHX_ "%.*s", (int)p->notes[i].n, p->notes[i].p);
    say_defined_again(aTHX_ p);
    say_too_much(aTHX_ p);
}

void nytp_gaps_log_left_out(pTHX_ U32 n, const char *what) {
    if (n) say(aTHX_ "%u %s are left out, as their numbers are too large", (unsigned)n, what);
}
