/* SPDX-License-Identifier: MIT */
/* called.h - whom entersub is about to call, by what it will find on top of the stack. */
#ifndef NYTP_PERL_CALLED_H
#define NYTP_PERL_CALLED_H

#include "perl/glue.h"

/* The code behind what entersub will find on the stack, where that is plain to see. */
static inline const CV *nytp_called_plainly(SV *sv) {
    switch (SvTYPE(sv)) {
    case SVt_PVGV: return isGV_with_GP(sv) ? GvCVu((const GV *)sv) : NULL;
    case SVt_PVCV: return (const CV *)sv;
    default: return SvROK(sv) && SvTYPE(SvRV(sv)) == SVt_PVCV ? (const CV *)SvRV(sv) : NULL;
    }
}

/* The same where it takes a search: as entersub would make it, which finds the result in the place of what was there.
 * NULL, or a sub without a body, if there is nothing to call. */
const CV *nytp_called_find(pTHX_ SV **sp);

/* cv is what nytp_called_find has said. The name that has no code, not even an AUTOLOAD's in Perl, which would be
 * in its place by now; NULL if there is some after all, or something else to complain about. */
const GV *nytp_called_in_vain(pTHX_ SV **sp, const CV *cv);

#endif
