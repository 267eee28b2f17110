/* SPDX-License-Identifier: MIT */
/* data.c - the hash that Devel::NYTProf::Data is made of, from a capture. */
#include "perldata/perldata.h"

#include "model/load.h"

/* A file of format 5 that breaks off is an error, as in Devel::NYTProf; a capture loses only the damaged part. */
SV *nytp_data_load(pTHX_ const char *path) {
    nytp_profile p;
    nytp_error e;
    nytp_load_options options = {.keep_evals = 1};
    int code = nytp_load(&p, &path, 1, &options, &e);
    if (!code && p.inputs[0].broken.n) code = nytp_error_set(&e, NYTP_FORMAT, "%s", p.inputs[0].broken.p);
    if (code) {
        nytp_profile_close(&p);
        croak("%s\n", e.text);
    }
    nytp_gaps_log(aTHX_ &p);
    HV *data = newHV();
    nytp_perldata_pairs_store(aTHX_ &p, data);
    nytp_perldata_subs_store(aTHX_ &p, data, nytp_perldata_files_store(aTHX_ &p, data));
    nytp_measures_store(aTHX_ &p, data);
    nytp_profile_close(&p);
    return newRV_noinc((SV *)data);
}
