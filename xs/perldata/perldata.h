/* SPDX-License-Identifier: MIT */
/* perldata.h - what Data.xs calls, and what the files beside it share: the Perl view of a finished profile. */
#ifndef NYTP_PERLDATA_PERLDATA_H
#define NYTP_PERLDATA_PERLDATA_H

#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"

#include "model/profile.h"
#include "perldata/layout.h"
#include "v5/event.h"

/* Perl arrays have an element for every index up to the last. All files have a million elements in common, and 16 for
 * each line that ran; fids have a million, and four for each file. What is beyond, in a damaged or hostile profile, is
 * left out, as an index of eight digits would take gigabytes. */
#define NYTP_DATA_LINES 1000000u
#define NYTP_DATA_FIDS 1000000u

/* Makes every NYTP_ name of layout.h, and what the library was built with, a function of Devel::NYTProf::Constants. */
void nytp_constants_define(pTHX);

/* data.c: reads a profile and returns a new reference to the hash that Devel::NYTProf::Data is made of. Croaks with one
 * line if there is no profile to be read. */
SV *nytp_data_load(pTHX_ const char *path);

/* stream.c: reads a profile and calls a function for each event: the one given, or one from a hash by tag, with '' for
 * other tags; every_event as in v5/input.h. Croaks as above, and passes on exceptions of the function. */
void nytp_perldata_stream_tell(pTHX_ const char *path, SV *callback, bool every_event);

/* gaps.c: writes to the profiler's log what the profile lacks. */
void nytp_gaps_log(pTHX_ const nytp_profile *p);

/* The same for what Perl's arrays have no room for: lines that ran, or files. */
void nytp_gaps_log_left_out(pTHX_ U32 n, const char *what);

/* pairs.c, files.c, subs.c, measures.c: each fills in its keys of the hash. `files` is fid_fileinfo, which subs.c adds
 * the subs and calls to. */
void nytp_perldata_pairs_store(pTHX_ const nytp_profile *p, HV *data);
AV *nytp_perldata_files_store(pTHX_ const nytp_profile *p, HV *data);
void nytp_perldata_subs_store(pTHX_ const nytp_profile *p, HV *data, AV *files);
void nytp_measures_store(pTHX_ const nytp_profile *p, HV *data);

/* The fid of file i, 0 for the unknown file and for those beyond the limit. */
static inline U32 nytp_data_fid(const nytp_profile *p, U32 i) {
    return i && p->files[i].fid < NYTP_DATA_FIDS + (uint64_t)4 * p->files_n ? p->files[i].fid : 0;
}

/* 1 if the profile is a file of format 5, which has some values that captures do not have. */
static inline int nytp_data_is_v5(const nytp_profile *p) { return p->inputs_n && p->inputs[0].format == NYTP_V5_MAJOR; }

static inline SV *nytp_data_str(pTHX_ nytp_str s, int utf8) { return newSVpvn_utf8(s.p ? s.p : "", s.n, utf8); }

/* A count, exact where an IV has 64 bits, else as a floating-point number if it has more than 32. */
static inline void nytp_data_set(pTHX_ SV *sv, int64_t value) {
    if (IVSIZE >= 8 || (value >= INT32_MIN && value <= INT32_MAX)) sv_setiv(sv, (IV)value);
    else sv_setnv(sv, (NV)value);
}

static inline SV *nytp_data_count(pTHX_ int64_t value) {
    SV *sv = newSV(0);
    nytp_data_set(aTHX_ sv, value);
    return sv;
}

/* What nytp_data_set has set; 0 if nothing. */
static inline int64_t nytp_data_get(pTHX_ SV *sv) {
    return SvIOK(sv) ? SvIV(sv) : SvNOK(sv) ? (int64_t)SvNV(sv) : 0;
}

/* A new hash or array under that key of data; borrowed. */
static inline HV *nytp_data_new_hash(pTHX_ HV *data, const char *key) {
    HV *hv = newHV();
    (void)hv_store(data, key, (I32)strlen(key), newRV_noinc((SV *)hv), 0);
    return hv;
}

static inline AV *nytp_data_new_array(pTHX_ HV *data, const char *key) {
    AV *av = newAV();
    (void)hv_store(data, key, (I32)strlen(key), newRV_noinc((SV *)av), 0);
    return av;
}

#endif
