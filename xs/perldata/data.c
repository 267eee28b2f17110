/* SPDX-License-Identifier: MIT */
/* data.c - the hash that Devel::NYTProf::Data is made of, from a capture. */
#include "perldata/perldata.h"

#include "model/load.h"

static void close_profile(pTHX_ void *p) {
    PERL_UNUSED_CONTEXT;
    nytp_profile_close(p);
}

/* A file of format 5 that breaks off is an error, as in Devel::NYTProf; a capture loses only the damaged part. The
 * profile is closed also when Perl code dies, as a log that a program replaced may. */
SV *nytp_data_load(pTHX_ const char *path) {
    nytp_profile *p;
    nytp_error e;
    nytp_load_options options = {.keep_evals = 1};
    ENTER;
    Newxz(p, 1, nytp_profile);
    SAVEFREEPV(p);
    int code = nytp_load(p, &path, 1, &options, &e);
    SAVEDESTRUCTOR_X(close_profile, p);
    if (!code && p->inputs[0].broken.n) code = nytp_error_set(&e, NYTP_FORMAT, "%s", p->inputs[0].broken.p);
    if (code) croak("%s\n", e.text);
    nytp_gaps_log(aTHX_ p);
    HV *data = newHV();
    (void)hv_stores(data, "is_own", newSViv(p->processes_n && p->processes[0].is_own));
    nytp_perldata_pairs_store(aTHX_ p, data);
    nytp_perldata_subs_store(aTHX_ p, data, nytp_perldata_files_store(aTHX_ p, data));
    nytp_measures_store(aTHX_ p, data);
    LEAVE;
    return newRV_noinc((SV *)data);
}
