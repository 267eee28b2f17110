/* SPDX-License-Identifier: MIT */
/* called.c - the callee in unusual cases: a call by name, an overloaded &{}, AUTOLOAD. */
#include "perl/called.h"

/* Makes the glob, as entersub would. The scalar has no get magic, which resolve has excluded. */
static GV *named(pTHX_ SV *sv) {
    if (!SvPOK(sv) || (PL_op->op_private & HINT_STRICT_REFS)) return NULL;
    return gv_fetchpvn_flags(SvPVX_const(sv), SvCUR(sv), GV_ADD | SvUTF8(sv), SVt_PVCV);
}

/* Replaces the name on the stack by the code, so that entersub does not look it up again: half the cost of such a call.
 * Not where perl counts references on the stack, and not with DB::sub, which needs the name. */
static void hand_over(pTHX_ SV **sp, const CV *cv) {
#ifndef PERL_RC_STACK
    if (cv && CvROOT(cv) && !(PL_op->op_private & OPpENTERSUB_DB)) *sp = (SV *)cv;
#endif
}

/* Resolves a name or an object with an overloaded &{}, as entersub will. */
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

/* A sub declared, imported elsewhere and defined later: perl looks it up by the name of its declaration. */
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

/* ---- no sub of that name ---- */

/* The AUTOLOAD for gv, with its $AUTOLOAD set; NULL if there is none. An AUTOLOAD in C counts under the name that was
 * called. */
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
