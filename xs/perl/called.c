/* SPDX-License-Identifier: MIT */
/* called.c - who is called where that is not plain to see: by a name, through an overloaded &{}, by an AUTOLOAD. */
#include "perl/called.h"

/* Makes the glob, as entersub would. The scalar has no get magic: resolve has returned for such. */
static GV *named(pTHX_ SV *sv) {
    if (!SvPOK(sv) || (PL_op->op_private & HINT_STRICT_REFS)) return NULL;
    return gv_fetchpvn_flags(SvPVX_const(sv), SvCUR(sv), GV_ADD | SvUTF8(sv), SVt_PVCV);
}

/* Where the name was, entersub finds the code, and does not look it up once more: half of what such a call costs. Perls
 * that count references on the stack look for themselves, and so does DB::sub, which is told the name. */
static void hand_over(pTHX_ SV **sp, const CV *cv) {
#ifndef PERL_RC_STACK
    if (cv && CvROOT(cv) && !(PL_op->op_private & OPpENTERSUB_DB)) *sp = (SV *)cv;
#endif
}

/* A name, an object with an overloaded &{}: what entersub will make of it. */
static const CV *resolve(pTHX_ SV **sp) {
    SV *sv = *sp;
    if (sv == &PL_sv_yes || SvGMAGICAL(sv)) return NULL;
    if (SvROK(sv) && SvAMAGIC(sv)) {
        *sp = sv = amagic_deref_call(sv, to_cv_amg);
        return nytp_called_plainly(sv);
    }
    GV *gv = SvTYPE(sv) == SVt_PVGV ? (GV *)sv : named(aTHX_ sv);
    const CV *cv = gv && isGV_with_GP(gv) ? GvCV(gv) : NULL;
    if (SvTYPE(sv) != SVt_PVGV) hand_over(aTHX_ sp, cv);
    return cv;
}

/* A sub that was declared, imported elsewhere and got its body later: perl goes by the name it was declared under. */
static const CV *behind_stub(pTHX_ const CV *cv) {
    while (cv && !CvROOT(cv) && !CvANON(cv)) {
        const GV *gv = CvGV((CV *)cv);
        if (!gv || !isGV_with_GP(gv) || GvCV(gv) == cv) break;
        cv = GvCV(gv);
    }
    return cv;
}

const CV *nytp_called_find(pTHX_ SV **sp) {
    const CV *cv = nytp_called_plainly(*sp);
    return behind_stub(aTHX_ cv ? cv : resolve(aTHX_ sp));
}

/* ---- nothing has that name ---- */

/* The AUTOLOAD that does the work of gv, which knows by now whose it is; NULL if there is none. One written in C does
 * its work under the name that was wanted. */
static const CV *perl_autoload(pTHX_ const GV *gv) {
    HV *stash = GvSTASH(gv);
    U32 utf8 = GvNAMEUTF8(gv) ? SVf_UTF8 : 0;
    const GV *autoload = stash ? gv_autoload_pvn(stash, GvNAME(gv), GvNAMELEN(gv), utf8) : NULL;
    return autoload && GvCV(autoload) && !CvISXSUB(GvCV(autoload)) ? GvCV(autoload) : NULL;
}

const GV *nytp_called_in_vain(pTHX_ SV **sp, const CV *cv) {
    SV *sv = *sp;
    if ((cv && CvROOT(cv)) || sv == &PL_sv_yes) return NULL;
    const GV *gv = cv && !CvANON(cv) ? CvGV((CV *)cv) : SvTYPE(sv) == SVt_PVGV ? (const GV *)sv : named(aTHX_ sv);
    if (!gv || !isGV_with_GP(gv)) return NULL;
    const CV *autoload = perl_autoload(aTHX_ gv);
    hand_over(aTHX_ sp, autoload);
    return autoload ? NULL : gv;
}
