/* SPDX-License-Identifier: MIT */
/* fullname.c - PACKAGE::NAME of subs and globs. */
#include "perl/body.h"

/* Names that are UTF-8 in the program stay so, even where perl stores them as Latin-1: %DB::sub gives them that way. */
SV *nytp_fullname_in(pTHX_ HV *stash, SV *name) {
    HEK *package = stash ? HvNAME_HEK(stash) : NULL;
    SV *sv = sv_2mortal(package ? newSVhek(package) : newSVpvs("__ANON__"));
    sv_catpvs(sv, "::");
    sv_catsv(sv, name);
    return sv;
}

SV *nytp_fullname_of_gv(pTHX_ const GV *gv) {
    return nytp_fullname_in(aTHX_ GvSTASH(gv), sv_2mortal(newSVhek(GvNAME_HEK(gv))));
}

SV *nytp_fullname_of_cv(pTHX_ const CV *cv) {
    if (CvNAMED(cv)) return nytp_fullname_in(aTHX_ CvSTASH(cv), sv_2mortal(newSVhek(CvNAME_HEK((CV *)cv))));
    const GV *gv = CvGV((CV *)cv);
    if (gv && SvTYPE(gv) == SVt_PVGV && isGV_with_GP(gv)) return nytp_fullname_of_gv(aTHX_ gv);
    return nytp_fullname_in(aTHX_ CvSTASH(cv), sv_2mortal(newSVpvf("__UNKNOWN__[%p]", (const void *)cv)));
}
