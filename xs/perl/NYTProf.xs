/* SPDX-License-Identifier: MIT */
/* NYTProf.xs - functions for Perl code; the work is done in the files beside it. */
#include "perl/sampling.h"
#include "record/usage.h"

/* The perldata room's. A boot function is an XSUB like any other: the modules that need them call them. */
XS_EXTERNAL(boot_Devel__NYTProf__Data);
XS_EXTERNAL(boot_Devel__NYTProf__FileHandle);

MODULE = Devel::NYTProf    PACKAGE = DB

PROTOTYPES: DISABLE

void
set_option(const char *name, const char *value)
  CODE:
    dGLUE;
    nytp_perl_life_set_option(aTHX_ g, name, value);

SV *
_usage()
  CODE:
    nytp_buf text = {0};
    nytp_usage(&text);
    RETVAL = newSVpvn(text.p ? (const char *)text.p : "", text.n);
    nytp_buf_free(&text);
  OUTPUT:
    RETVAL

int
init_profiler()
  CODE:
    dGLUE;
    RETVAL = nytp_perl_life_init(aTHX_ g);
  OUTPUT:
    RETVAL

int
init_sampler()
  CODE:
    dGLUE;
    if (g->options.sample) nytp_boot_exec(aTHX);
    RETVAL = nytp_sampling_init(aTHX_ g);
  OUTPUT:
    RETVAL

SV *
_layout()
  CODE:
    RETVAL = nytp_structs_text(aTHX);
  OUTPUT:
    RETVAL

IV
_samples()
  CODE:
    dGLUE;
    RETVAL = (IV)g->options.sample;
  OUTPUT:
    RETVAL

int
enable_profile(const char *file = NULL)
  CODE:
    dGLUE;
    RETVAL = nytp_control_enable(aTHX_ g, file);
  OUTPUT:
    RETVAL

int
disable_profile()
  CODE:
    dGLUE;
    RETVAL = nytp_control_disable(aTHX_ g);
  OUTPUT:
    RETVAL

void
finish_profile(...)
  ALIAS:
    _finish = 1
  CODE:
    dGLUE;
    PERL_UNUSED_VAR(ix);
    nytp_control_close(aTHX_ g);

void
mark(SV *name = &PL_sv_undef)
  CODE:
    dGLUE;
    nytp_timed_mark(aTHX_ g, name);

void
count(SV *name = &PL_sv_undef, SV *n = NULL)
  CODE:
    dGLUE;
    nytp_timed_count(aTHX_ g, name, n);

SV *
span(SV *name = &PL_sv_undef)
  CODE:
    dGLUE;
    RETVAL = nytp_timed_span(aTHX_ g, name);
  OUTPUT:
    RETVAL

void
DB_profiler(...)
  CODE:
    dGLUE;
    PERL_UNUSED_VAR(items);
    nytp_stmt_db(aTHX_ g);

void
CLONE(...)
  CODE:
    PERL_UNUSED_VAR(items);
    XSANY.any_ptr = nytp_clone_made(aTHX_ (nytp_glue *)XSANY.any_ptr);

MODULE = Devel::NYTProf    PACKAGE = DB::Span

void
end(SV *self)
  ALIAS:
    DESTROY = 1
  CODE:
    dGLUE;
    PERL_UNUSED_VAR(ix);
    nytp_timed_end(aTHX_ g, self);

int
CLONE_SKIP(...)
  CODE:
    PERL_UNUSED_VAR(items);
    RETVAL = 1;
  OUTPUT:
    RETVAL

MODULE = Devel::NYTProf    PACKAGE = Devel::NYTProf

void
import(...)
  CODE:
    dGLUE;
    PERL_UNUSED_VAR(items);
    nytp_perl_life_again(aTHX_ g);

MODULE = Devel::NYTProf    PACKAGE = Devel::NYTProf::Util

int
trace_level()
  ALIAS:
    _expand = 1
  CODE:
    dGLUE;
    RETVAL = (int)(ix ? g->options.expand : g->options.trace);
  OUTPUT:
    RETVAL

MODULE = Devel::NYTProf    PACKAGE = Devel::NYTProf::Test

void
example_xsub(SV *unused = NULL, SV *action = &PL_sv_undef, SV *argument = &PL_sv_undef)
  CODE:
    PERL_UNUSED_VAR(unused);
    nytp_example_xsub(aTHX_ action, argument);

void
example_xsub_eval(...)
  CODE:
    PERL_UNUSED_VAR(items);
    eval_pv("Devel::NYTProf::Test::example_xsub()", TRUE);

void
set_errno(int number)
  CODE:
    errno = number;

void
ticks_for_usleep(UV microseconds)
  PPCODE:
    dGLUE;
    nytp_clock clock;
    NV ticks = (NV)nytp_example_sleep(aTHX_ g, &clock, microseconds);
    EXTEND(SP, 4);
    mPUSHn(ticks);
    mPUSHi(0);
    mPUSHn((NV)clock.ticks_per_second);
    mPUSHi(clock.id);

MODULE = Devel::NYTProf    PACKAGE = Devel::NYTProf::Core

void
_c_nothing(...)
  CODE:
    PERL_UNUSED_VAR(items);

void
_log(const char *line)
  CODE:
    dGLUE;
    nytp_perl_log_say(g, line);

BOOT:
    nytp_perl_life_boot(aTHX);
    {
        dGLUE;
        CV *clone = get_cv("DB::CLONE", 0);
        if (clone) CvXSUBANY(clone).any_ptr = (void *)g;
    }
    newXS("Devel::NYTProf::Core::_boot_data", boot_Devel__NYTProf__Data, __FILE__);
    newXS("Devel::NYTProf::Core::_boot_filehandle", boot_Devel__NYTProf__FileHandle, __FILE__);
